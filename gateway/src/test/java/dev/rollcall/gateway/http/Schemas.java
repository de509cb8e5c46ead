package dev.rollcall.gateway.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.util.Map;
import java.util.TreeMap;

/** The JSON of messages as JSON Schema 2020-12, each under its proto name without the package. */
final class Schemas {
  private static final String REFERENCE = "#/components/schemas/";
  private static final long UINT32_MOST = 0xffff_ffffL;

  private final Comments comments;
  private final Map<String, JsonObject> schemas = new TreeMap<>();

  Schemas(Comments comments) {
    this.comments = comments;
  }

  JsonObject all() {
    var all = new JsonObject();
    schemas.forEach(all::add);
    return all;
  }

  void add(String name, JsonObject schema) {
    schemas.put(name, schema);
  }

  /** Whether its JSON is a text. */
  static boolean isText(Descriptor type) {
    return type.getFullName().equals(Timestamp.getDescriptor().getFullName())
        || type.getFullName().equals(Duration.getDescriptor().getFullName());
  }

  /** To the schema of a message, which is among all from then on. */
  JsonObject reference(Descriptor type) {
    String name = type.getName();
    if (!schemas.containsKey(name)) {
      schemas.put(name, new JsonObject()); // It may be within itself.
      schemas.put(name, message(type));
    }
    return referenceTo(name);
  }

  private static JsonObject referenceTo(String name) {
    var reference = new JsonObject();
    reference.addProperty("$ref", REFERENCE + name);
    return reference;
  }

  private JsonObject message(Descriptor type) {
    var properties = new JsonObject();
    for (FieldDescriptor field : type.getFields()) {
      JsonObject schema = of(field);
      comments.of(field).ifPresent(text -> schema.addProperty("description", text));
      properties.add(field.getJsonName(), schema);
    }
    JsonObject schema = typed("object");
    comments.of(type).ifPresent(text -> schema.addProperty("description", text));
    schema.add("properties", properties);
    schema.addProperty("additionalProperties", false);
    return schema;
  }

  JsonObject of(FieldDescriptor field) {
    if (field.isMapField()) {
      JsonObject map = typed("object");
      map.add("additionalProperties", single(field.getMessageType().findFieldByName("value")));
      return map;
    }
    if (field.isRepeated()) {
      JsonObject array = typed("array");
      array.add("items", single(field));
      return array;
    }
    return single(field);
  }

  private JsonObject single(FieldDescriptor field) {
    return switch (field.getType()) {
      case BOOL -> typed("boolean");
      case STRING -> typed("string");
      case BYTES -> {
        JsonObject bytes = typed("string");
        bytes.addProperty("contentEncoding", "base64");
        yield bytes;
      }
      case INT32, SINT32, SFIXED32 -> formatted("integer", "int32");
      case UINT32, FIXED32 -> {
        JsonObject number = typed("integer");
        number.addProperty("minimum", 0);
        number.addProperty("maximum", UINT32_MOST);
        yield number;
      }
      // 64 bits do not fit the numbers of JSON's readers.
      case INT64, SINT64, SFIXED64 -> formatted("string", "int64");
      case UINT64, FIXED64 -> formatted("string", "uint64");
      case FLOAT, DOUBLE -> typed("number");
      case ENUM -> enumeration(field.getEnumType());
      case MESSAGE, GROUP -> within(field.getMessageType());
    };
  }

  private JsonObject within(Descriptor type) {
    if (type.getFullName().equals(Timestamp.getDescriptor().getFullName())) {
      return formatted("string", "date-time");
    }
    if (type.getFullName().equals(Duration.getDescriptor().getFullName())) {
      JsonObject duration = typed("string");
      duration.addProperty("pattern", "^-?[0-9]+(\\.[0-9]{1,9})?s$");
      return duration;
    }
    return reference(type);
  }

  private JsonObject enumeration(EnumDescriptor type) {
    if (!schemas.containsKey(type.getName())) {
      JsonObject schema = typed("string");
      var values = new JsonArray();
      type.getValues().forEach(value -> values.add(value.getName()));
      schema.add("enum", values);
      comments.of(type).ifPresent(text -> schema.addProperty("description", text));
      schemas.put(type.getName(), schema);
    }
    return referenceTo(type.getName());
  }

  private static JsonObject typed(String type) {
    var typed = new JsonObject();
    typed.addProperty("type", type);
    return typed;
  }

  private static JsonObject formatted(String type, String format) {
    JsonObject formatted = typed(type);
    formatted.addProperty("format", format);
    return formatted;
  }
}
