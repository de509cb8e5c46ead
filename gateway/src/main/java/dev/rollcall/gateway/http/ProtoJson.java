package dev.rollcall.gateway.http;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;

/** Proto messages as JSON, as https://protobuf.dev/programming-guides/json says. */
final class ProtoJson {
  private static final TypeRegistry DETAILS =
      TypeRegistry.newBuilder()
          .add(BadRequest.getDescriptor())
          .add(ErrorInfo.getDescriptor())
          .add(RetryInfo.getDescriptor())
          .build();

  static final JsonFormat.Parser PARSER = JsonFormat.parser();

  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer()
          .usingTypeRegistry(DETAILS)
          .alwaysPrintFieldsWithNoPresence()
          .omittingInsignificantWhitespace();

  private ProtoJson() {}

  /**
   * In one line; fields without a value are there, but for those that can be absent.
   *
   * @throws IllegalArgumentException for a value that JSON has no form for, such as a time after
   *     the year 9999
   * @throws IllegalStateException for an Any of an unknown type
   */
  static String of(MessageOrBuilder message) {
    try {
      return PRINTER.print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that JSON cannot express: " + e, e);
    }
  }
}
