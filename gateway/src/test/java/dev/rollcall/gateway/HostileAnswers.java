package dev.rollcall.gateway;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.wire.CallerMapper;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;

/** Services whose every answer has every field, and the same text in each that is a text. */
final class HostileAnswers {
  private static final int DEEPEST = 6;

  private final String text;

  private HostileAnswers(String text) {
    this.text = text;
  }

  static List<ServerServiceDefinition> services(String text) {
    var answers = new HostileAnswers(text);
    return List.of(
        answers.service(NodeServiceGrpc.getServiceDescriptor()),
        answers.service(JobServiceGrpc.getServiceDescriptor()),
        answers.service(CallerIdServiceGrpc.getServiceDescriptor()),
        answers.service(AdoptionServiceGrpc.getServiceDescriptor()));
  }

  private ServerServiceDefinition service(ServiceDescriptor descriptor) {
    var service = ServerServiceDefinition.builder(descriptor);
    descriptor.getMethods().forEach(method -> add(service, method));
    return service.build();
  }

  private <Q, R> void add(ServerServiceDefinition.Builder service, MethodDescriptor<Q, R> method) {
    R answer = answer(method);
    switch (method.getType()) {
      case UNARY ->
          service.addMethod(
              method,
              ServerCalls.asyncUnaryCall((Q _, StreamObserver<R> client) -> {
                client.onNext(answer);
                client.onCompleted();
              }));
      // A watch has no end.
      case SERVER_STREAMING ->
          service.addMethod(
              method,
              ServerCalls.asyncServerStreamingCall(
                  (Q _, StreamObserver<R> client) -> client.onNext(answer)));
      case CLIENT_STREAMING, BIDI_STREAMING, UNKNOWN ->
          service.addMethod(
              method,
              ServerCalls.asyncBidiStreamingCall((StreamObserver<R> client) ->
                  ServerCalls.<Q>asyncUnimplementedStreamingCall(method, client)));
    }
  }

  @SuppressWarnings("unchecked") // every message of proto is a Message
  private <R> R answer(MethodDescriptor<?, R> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<R>) method.getResponseMarshaller();
    return (R) filled((Message) marshaller.getMessagePrototype(), 0);
  }

  private Message filled(Message empty, int depth) {
    if (empty instanceof Timestamp) {
      return CallerMapper.timestamp(Instant.now());
    }
    var message = empty.newBuilderForType();
    for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
      // Else the console asks for the next part without end.
      if (field.isMapField() || field.getName().equals("next_page_token")) {
        continue;
      }
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth == DEEPEST) {
        continue;
      }
      Object value = value(message, field, depth);
      if (field.isRepeated()) {
        message.addRepeatedField(field, value);
      } else {
        message.setField(field, value);
      }
    }
    return message.build();
  }

  private Object value(Message.Builder message, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case STRING -> text;
      case INT -> 7;
      case LONG -> 7L;
      case FLOAT -> 7f;
      case DOUBLE -> 7d;
      case BOOLEAN -> true;
      case BYTE_STRING -> com.google.protobuf.ByteString.EMPTY;
      case ENUM -> last(field.getEnumType());
      case MESSAGE -> filled(message.newBuilderForField(field).buildPartial(), depth + 1);
    };
  }

  private static Object last(EnumDescriptor type) {
    return type.getValues().getLast();
  }
}
