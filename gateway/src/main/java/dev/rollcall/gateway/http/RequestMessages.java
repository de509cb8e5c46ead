package dev.rollcall.gateway.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.rollcall.wire.BadWordException;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes messages of proto of what a request says in its path, its query and its body. */
final class RequestMessages {
  private RequestMessages() {}

  /**
   * @param fields of the path
   * @param query by dotted names of fields, as {@code connection.local.port}
   * @throws BadWordException naming the first field that is not there, or whose value it cannot
   *     have
   */
  static Message fromQuery(Message empty, Map<String, String> fields, MultiMap query) {
    Message.Builder message = empty.newBuilderForType();
    Descriptor type = message.getDescriptorForType();
    Set<List<FieldDescriptor>> given = new HashSet<>();
    fields.keySet().forEach(name -> given.add(find(type, name)));
    for (String name : query.names()) {
      if (!given.add(find(type, name))) {
        throw new BadWordException(name, "it is in the path already, or by its other name");
      }
      put(message, name, query.getAll(name));
    }
    putAll(message, fields);
    return message.build();
  }

  /** The same of a body, which may be empty. */
  static Message fromBody(Message empty, Map<String, String> fields, String body) {
    Message.Builder message = empty.newBuilderForType();
    if (!body.isBlank()) {
      StrictJson.check("body", body, message.getDescriptorForType());
      merge("body", body, message);
    }
    putAll(message, fields);
    return message.build();
  }

  /** Of a line of a body that has a message in each. */
  static Message fromLine(Message empty, int number, String line) {
    Message.Builder message = empty.newBuilderForType();
    String name = "body, line " + number;
    if (line.length() > RequestBody.MOST_OF_ONE_MESSAGE) {
      throw new BadWordException(
          name, "it is longer than %d characters".formatted(RequestBody.MOST_OF_ONE_MESSAGE));
    }
    StrictJson.check(name, line, message.getDescriptorForType());
    merge(name, line, message);
    return message.build();
  }

  private static void putAll(Message.Builder message, Map<String, String> fields) {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      put(message, field.getKey(), List.of(field.getValue()));
    }
  }

  private static void put(Message.Builder message, String path, List<String> values) {
    FieldDescriptor last = find(message.getDescriptorForType(), path).getLast();
    if (!last.isRepeated() && values.size() > 1) {
      throw new BadWordException(path, "it is there " + values.size() + " times");
    }
    values.forEach(value -> StrictJson.checkText(path, last, value));
    JsonElement json = value(last, values);
    String[] names = path.split("\\.", -1);
    for (int i = names.length - 1; i >= 0; i--) {
      var parent = new JsonObject();
      parent.add(names[i], json);
      json = parent;
    }
    // JSON is not merged into a message that is there already.
    Message.Builder part = message.getDefaultInstanceForType().newBuilderForType();
    merge(path, json.toString(), part);
    message.mergeFrom(part.build());
  }

  private static JsonElement value(FieldDescriptor field, List<String> values) {
    if (!field.isRepeated()) {
      return new JsonPrimitive(values.getFirst());
    }
    var array = new JsonArray();
    values.forEach(array::add);
    return array;
  }

  /** The fields of a dotted path. */
  private static List<FieldDescriptor> find(Descriptor type, String path) {
    @Nullable Descriptor in = type;
    List<FieldDescriptor> found = new ArrayList<>();
    for (String name : path.split("\\.", -1)) {
      FieldDescriptor field = in == null ? null : StrictJson.named(in, name).orElse(null);
      if (field == null) {
        throw new BadWordException(path, "there is no such parameter");
      }
      found.add(field);
      in =
          field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isRepeated()
              ? field.getMessageType()
              : null;
    }
    if (found.getLast().isMapField()) {
      throw new BadWordException(path, "it is allowed only in a body");
    }
    return found;
  }

  private static void merge(String field, String json, Message.Builder into) {
    try {
      ProtoJson.PARSER.merge(json, into);
    } catch (InvalidProtocolBufferException e) {
      throw new BadWordException(field, String.valueOf(e.getMessage()));
    }
  }
}
