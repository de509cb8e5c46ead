package dev.rollcall.gateway.http;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.vertx.core.http.HttpMethod;

/**
 * A way to a method of a service.
 *
 * @param takesBody whether what is not in the path is in a body of JSON, and not in the query
 */
record Route(
    HttpMethod verb, RoutePattern path, boolean takesBody, ServerMethodDefinition<?, ?> method) {
  /** The method as the proto file has it. */
  static Descriptors.MethodDescriptor describedMethod(ServerMethodDefinition<?, ?> method) {
    var schema = (ProtoMethodDescriptorSupplier) method.getMethodDescriptor().getSchemaDescriptor();
    return schema.getMethodDescriptor();
  }

  /** Whether more than one answer comes. */
  boolean streams() {
    return !method.getMethodDescriptor().getType().serverSendsOneMessage();
  }

  /** Whether the body is messages, one in each line. */
  boolean takesMany() {
    return !method.getMethodDescriptor().getType().clientSendsOneMessage();
  }

  /** A request without any of its fields. */
  Message emptyRequest() {
    var marshaller =
        (MethodDescriptor.PrototypeMarshaller<?>)
            method.getMethodDescriptor().getRequestMarshaller();
    return (Message) requireNonNull(marshaller.getMessagePrototype());
  }
}
