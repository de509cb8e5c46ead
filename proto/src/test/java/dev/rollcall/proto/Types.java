package dev.rollcall.proto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import java.util.stream.Stream;

/** All that a file declares, nested or not. */
final class Types {
  private Types() {}

  static Stream<DescriptorProto> messages(FileDescriptorProto file) {
    return file.getMessageTypeList().stream().flatMap(Types::withNested);
  }

  private static Stream<DescriptorProto> withNested(DescriptorProto message) {
    return Stream.concat(
            Stream.of(message), message.getNestedTypeList().stream().flatMap(Types::withNested))
        .filter(type -> !type.getOptions().getMapEntry());
  }

  static Stream<FieldDescriptorProto> fields(FileDescriptorProto file) {
    return messages(file).flatMap(message -> message.getFieldList().stream());
  }

  /** Without those that the compiler makes for {@code optional}. */
  static Stream<OneofDescriptorProto> oneofs(FileDescriptorProto file) {
    return messages(file)
        .flatMap(message -> message.getOneofDeclList().stream())
        .filter(oneof -> !oneof.getName().startsWith("_"));
  }

  static Stream<EnumDescriptorProto> enums(FileDescriptorProto file) {
    return Stream.concat(
        file.getEnumTypeList().stream(),
        messages(file).flatMap(message -> message.getEnumTypeList().stream()));
  }

  static Stream<EnumValueDescriptorProto> values(FileDescriptorProto file) {
    return enums(file).flatMap(type -> type.getValueList().stream());
  }

  static Stream<ServiceDescriptorProto> services(FileDescriptorProto file) {
    return file.getServiceList().stream();
  }

  static Stream<MethodDescriptorProto> calls(FileDescriptorProto file) {
    return services(file).flatMap(service -> service.getMethodList().stream());
  }

  /** The last part of a type's full name. */
  static String simple(String fullName) {
    return fullName.substring(fullName.lastIndexOf('.') + 1);
  }
}
