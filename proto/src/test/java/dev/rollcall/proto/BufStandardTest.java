package dev.rollcall.proto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class BufStandardTest {
  static final List<Rule> RULES =
      Stream.concat(BufStandard.RULES.stream(), Comments.RULES.stream()).toList();

  /** Breaks no rule. */
  private static final String GOOD =
      """
      name: 'rollcall/v1/good.proto' package: 'rollcall.v1' syntax: 'proto3'
      message_type { name: 'AskRequest' field { name: 'job_id' } }
      message_type { name: 'AskResponse' oneof_decl { name: 'answer' } }
      enum_type { name: 'NodeState' value { name: 'NODE_STATE_UNSPECIFIED' number: 0 } }
      service {
        name: 'GoodService'
        method { name: 'Ask' input_type: '.rollcall.v1.AskRequest' output_type: '.rollcall.v1.AskResponse' }
      }
      source_code_info {
        location { path: [6, 0] leading_comments: 'Good.' }
        location { path: [6, 0, 2, 0] leading_comments: 'Asks.' }
      }
      """;

  @ParameterizedTest
  @FieldSource("RULES")
  void theWireKeepsEachRule(Rule rule) throws IOException {
    assertEquals(List.of(), rule.check(wire()).toList());
  }

  @Test
  void theWireIsAllThere() throws IOException {
    Set<String> packages =
        wire().getFileList().stream()
            .map(FileDescriptorProto::getPackage)
            .collect(Collectors.toSet());
    assertEquals(Set.of("rollcall.v1", "rollcall.roll.v1", "rollcall.door.v1"), packages);
  }

  @Test
  void aGoodFileBreaksNoRule() throws IOException {
    assertEquals(Set.of(), broken(GOOD));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      delimiterString = " => ",
      textBlock =
          """
          SYNTAX_SPECIFIED            => syntax: 'proto3'              => syntax: 'proto2'
          PACKAGE_DIRECTORY_MATCH     => package: 'rollcall.v1'        => package: 'rollcall.v2'
          PACKAGE_VERSION_SUFFIX      => package: 'rollcall.v1'        => package: 'rollcall.beta'
          PACKAGE_LOWER_SNAKE_CASE    => package: 'rollcall.v1'        => package: 'rollCall.v1'
          PACKAGE_DEFINED             => package: 'rollcall.v1'        => package: ''
          FILE_LOWER_SNAKE_CASE       => good.proto                    => Good.proto
          IMPORT_NO_PUBLIC            => syntax: 'proto3'              => syntax: 'proto3' public_dependency: 0
          IMPORT_NO_WEAK              => syntax: 'proto3'              => syntax: 'proto3' weak_dependency: 0
          MESSAGE_PASCAL_CASE         => { name: 'AskRequest'          => { nested_type { name: 'inner' } name: 'AskRequest'
          FIELD_LOWER_SNAKE_CASE      => job_id                        => jobId
          ONEOF_LOWER_SNAKE_CASE      => 'answer'                      => 'theAnswer'
          ENUM_PASCAL_CASE            => 'NodeState'                   => 'Node_State'
          ENUM_VALUE_UPPER_SNAKE_CASE => number: 0 }                   => number: 0 } value { name: 'NODE_STATE_on' number: 1 }
          ENUM_VALUE_PREFIX           => number: 0 }                   => number: 0 } value { name: 'LOST' number: 1 }
          ENUM_ZERO_VALUE_SUFFIX      => NODE_STATE_UNSPECIFIED        => NODE_STATE_LOST
          ENUM_NO_ALLOW_ALIAS         => number: 0 }                   => number: 0 } options { allow_alias: true }
          SERVICE_PASCAL_CASE         => 'GoodService'                 => 'good_Service'
          SERVICE_SUFFIX              => 'GoodService'                 => 'Good'
          RPC_PASCAL_CASE             => name: 'Ask'                   => name: 'ask'
          RPC_REQUEST_STANDARD_NAME   => input_type: '.rollcall.v1.Ask => input_type: '.rollcall.v1.Other
          RPC_RESPONSE_STANDARD_NAME  => output_type: '.rollcall.v1.As => output_type: '.rollcall.v1.Os
          RPC_REQUEST_RESPONSE_UNIQUE => .AskResponse'                 => .AskRequest'
          COMMENT_SERVICE             => leading_comments: 'Good.'     => leading_comments: ' '
          COMMENT_RPC                 => leading_comments: 'Asks.'     => leading_detached_comments: 'Asks.'
          """)
  void aFileThatBreaksARuleIsNamedByIt(String rule, String good, String bad) throws IOException {
    Set<String> broken = broken(GOOD.replace(good, bad));
    assertTrue(broken.contains(rule), () -> rule + " is not among " + broken);
  }

  private static Set<String> broken(String file) throws IOException {
    var set =
        FileDescriptorSet.newBuilder()
            .addFile(TextFormat.parse(file, FileDescriptorProto.class))
            .build();
    return RULES.stream()
        .filter(rule -> rule.check(set).findAny().isPresent())
        .map(Rule::name)
        .collect(Collectors.toSet());
  }

  private static FileDescriptorSet wire() throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of("target/classes/rollcall.desc"));
    return FileDescriptorSet.parseFrom(bytes, ExtensionRegistry.getEmptyRegistry());
  }
}
