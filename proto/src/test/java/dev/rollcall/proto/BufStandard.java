package dev.rollcall.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rules of buf's STANDARD set that a single file can break, beside those of {@link Comments}.
 */
final class BufStandard {
  private static final Pattern PASCAL = Pattern.compile("[A-Z][A-Za-z0-9]*");
  private static final Pattern LOWER_SNAKE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final Pattern UPPER_SNAKE = Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*");

  static final List<Rule> RULES =
      List.of(
          new Rule("SYNTAX_SPECIFIED", file(file -> file.getSyntax().equals("proto3"))),
          new Rule("PACKAGE_DEFINED", file(file -> !file.getPackage().isEmpty())),
          new Rule("PACKAGE_DIRECTORY_MATCH", file(BufStandard::isInItsFolder)),
          new Rule(
              "PACKAGE_VERSION_SUFFIX",
              file(file -> file.getPackage().matches(".*\\.v[1-9][0-9]*"))),
          new Rule(
              "PACKAGE_LOWER_SNAKE_CASE", file(file -> file.getPackage().matches("[a-z0-9_.]*"))),
          new Rule(
              "FILE_LOWER_SNAKE_CASE",
              file(file -> file.getName().matches("(.*/)?[a-z][a-z0-9_]*\\.proto"))),
          new Rule("IMPORT_NO_PUBLIC", file(file -> file.getPublicDependencyCount() == 0)),
          new Rule("IMPORT_NO_WEAK", file(file -> file.getWeakDependencyCount() == 0)),
          new Rule("MESSAGE_PASCAL_CASE", names(Types::messages, DescriptorProto::getName, PASCAL)),
          new Rule(
              "FIELD_LOWER_SNAKE_CASE",
              names(Types::fields, field -> field.getName(), LOWER_SNAKE)),
          new Rule(
              "ONEOF_LOWER_SNAKE_CASE",
              names(Types::oneofs, oneof -> oneof.getName(), LOWER_SNAKE)),
          new Rule("ENUM_PASCAL_CASE", names(Types::enums, EnumDescriptorProto::getName, PASCAL)),
          new Rule(
              "ENUM_VALUE_UPPER_SNAKE_CASE",
              names(Types::values, EnumValueDescriptorProto::getName, UPPER_SNAKE)),
          new Rule("ENUM_VALUE_PREFIX", BufStandard::unprefixed),
          new Rule("ENUM_ZERO_VALUE_SUFFIX", BufStandard::badZeros),
          new Rule("ENUM_NO_ALLOW_ALIAS", BufStandard::aliased),
          new Rule(
              "SERVICE_PASCAL_CASE",
              names(Types::services, ServiceDescriptorProto::getName, PASCAL)),
          new Rule(
              "SERVICE_SUFFIX",
              names(
                  Types::services, ServiceDescriptorProto::getName, Pattern.compile(".*Service"))),
          new Rule("RPC_PASCAL_CASE", names(Types::calls, MethodDescriptorProto::getName, PASCAL)),
          new Rule(
              "RPC_REQUEST_STANDARD_NAME",
              file -> misnamed(file, "Request", MethodDescriptorProto::getInputType)),
          new Rule(
              "RPC_RESPONSE_STANDARD_NAME",
              file -> misnamed(file, "Response", MethodDescriptorProto::getOutputType)),
          new Rule("RPC_REQUEST_RESPONSE_UNIQUE", BufStandard::shared));

  private BufStandard() {}

  private static Function<FileDescriptorProto, Stream<String>> file(
      Function<FileDescriptorProto, Boolean> holds) {
    return file -> holds.apply(file) ? Stream.empty() : Stream.of("package " + file.getPackage());
  }

  private static <T> Function<FileDescriptorProto, Stream<String>> names(
      Function<FileDescriptorProto, Stream<T>> things, Function<T, String> name, Pattern valid) {
    return file -> things.apply(file).map(name).filter(text -> !valid.matcher(text).matches());
  }

  private static boolean isInItsFolder(FileDescriptorProto file) {
    int slash = file.getName().lastIndexOf('/');
    return slash > 0
        && file.getName().substring(0, slash).replace('/', '.').equals(file.getPackage());
  }

  private static String prefix(EnumDescriptorProto type) {
    return type.getName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_";
  }

  private static Stream<String> unprefixed(FileDescriptorProto file) {
    return Types.enums(file)
        .flatMap(type ->
            type.getValueList().stream()
                .map(EnumValueDescriptorProto::getName)
                .filter(name -> !name.startsWith(prefix(type))));
  }

  private static Stream<String> badZeros(FileDescriptorProto file) {
    return Types.enums(file)
        .map(type -> type.getValue(0))
        .filter(value -> value.getNumber() != 0 || !value.getName().endsWith("_UNSPECIFIED"))
        .map(EnumValueDescriptorProto::getName);
  }

  private static Stream<String> aliased(FileDescriptorProto file) {
    return Types.enums(file)
        .filter(type -> type.getOptions().getAllowAlias())
        .map(EnumDescriptorProto::getName);
  }

  private static Stream<String> misnamed(
      FileDescriptorProto file, String suffix, Function<MethodDescriptorProto, String> type) {
    return Types.services(file)
        .flatMap(service ->
            service.getMethodList().stream()
                .filter(call -> {
                  String name = Types.simple(type.apply(call));
                  return !name.equals(call.getName() + suffix)
                      && !name.equals(service.getName() + call.getName() + suffix);
                })
                .map(MethodDescriptorProto::getName));
  }

  /** A message that two calls share cannot change for one of them. */
  private static Stream<String> shared(FileDescriptorProto file) {
    List<String> used =
        Types.calls(file)
            .flatMap(call -> Stream.of(call.getInputType(), call.getOutputType()))
            .toList();
    return used.stream().distinct().filter(type -> used.indexOf(type) != used.lastIndexOf(type));
  }
}
