package dev.rollcall.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Prefix;
import dev.rollcall.proto.roll.v1.AddressPrefix;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixMapperTest {
  private static dev.rollcall.proto.roll.v1.ClusterPrefixes message(String hex, int length) {
    return dev.rollcall.proto.roll.v1.ClusterPrefixes.newBuilder()
        .addPrefixes(
            AddressPrefix.newBuilder()
                .setAddress(ByteString.copyFrom(HexFormat.of().parseHex(hex)))
                .setLength(length))
        .build();
  }

  @Test
  void theWholeBoundIsMappedThereAndBack() {
    Set<Prefix> all =
        IntStream.range(0, ClusterPrefixes.MOST)
            .mapToObj(i -> Prefix.parse("10." + i / 256 + "." + i % 256 + ".0/24"))
            .collect(Collectors.toSet());
    var prefixes = new ClusterPrefixes(all);
    assertEquals(prefixes, PrefixMapper.toModel(PrefixMapper.toProto(prefixes), "there"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, [0]",
    "0a0000, 24, [0]",
    "0a000000ff, 24, [0]",
    "0a000000, 33, [0]",
    "0a000000, -1, [0]",
    "0a000000, 7, 10.0.0.0/7",
    "00000000, 0, 0.0.0.0/0",
    "7f000000, 8, 127.0.0.0/8",
    "00000000000000000000ffff0a000000, 120, [0]",
    "00000000000000000000000000000000, 16, ::/16",
  })
  void whatIsNoNetworkOfNodesIsRefusedByName(String hex, int length, String named) {
    var e =
        assertThrows(
            BadWordException.class, () -> PrefixMapper.toModel(message(hex, length), "list"));
    assertTrue(String.valueOf(e.getMessage()).startsWith("list"), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains(named), e.getMessage());
  }

  @Test
  void tenThousandAreRefusedUnread() {
    var many = dev.rollcall.proto.roll.v1.ClusterPrefixes.newBuilder();
    IntStream.range(0, 10_000).forEach(_ -> many.addPrefixes(AddressPrefix.getDefaultInstance()));
    var e = assertThrows(BadWordException.class, () -> PrefixMapper.toModel(many.build(), "list"));
    assertEquals("list: 10000 prefixes are more than 4096", e.getMessage());
  }
}
