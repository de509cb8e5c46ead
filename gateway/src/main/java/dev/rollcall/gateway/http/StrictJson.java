package dev.rollcall.gateway.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import dev.rollcall.wire.BadWordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Refuses JSON that RFC 8259 does not allow, or that two readers may understand in two ways:
 * several values, a name twice in an object, comments, single quotes, NaN. Protobuf's own reader
 * takes all of these.
 */
final class StrictJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private StrictJson() {}

  /**
   * Checks a text that is to be one message.
   *
   * @param name of the text, with which a refusal begins
   * @throws BadWordException with line and column, where they are known
   */
  static void check(String name, String json, Descriptor type) {
    try (JsonParser in = FACTORY.createParser(json)) {
      in.nextToken();
      value(name, in, Optional.of(type), Optional.empty());
      if (in.nextToken() != null) {
        throw new BadWordException(
            name, "it goes on after its first value" + at(in.currentTokenLocation()));
      }
    } catch (JsonProcessingException e) {
      // What is nested too deeply has none.
      Optional<JsonLocation> where = Optional.ofNullable(e.getLocation());
      throw new BadWordException(
          name, e.getOriginalMessage() + where.map(StrictJson::at).orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void value(
      String name, JsonParser in, Optional<Descriptor> type, Optional<FieldDescriptor> field)
      throws IOException {
    switch (in.currentToken()) {
      case START_OBJECT -> {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          String key = in.currentName();
          Optional<FieldDescriptor> inside = type.flatMap(each -> named(each, key));
          in.nextToken();
          value(name, in, inside.flatMap(StrictJson::message), inside);
        }
      }
      case START_ARRAY -> {
        while (in.nextToken() != JsonToken.END_ARRAY) {
          value(name, in, type, field);
        }
      }
      case VALUE_STRING -> {
        String text = in.getText();
        field.ifPresent(of -> checkText(name, of, text));
      }
      case null, default -> {}
    }
  }

  /**
   * Refuses a text with other than ASCII's characters for a field that is a number, a time or one
   * of some words: digits of other scripts are digits to Java.
   *
   * @throws BadWordException naming the field
   */
  static void checkText(String name, FieldDescriptor field, String text) {
    boolean isText = field.getJavaType() == JavaType.STRING;
    if (!isText && text.chars().anyMatch(character -> character > '~')) {
      throw new BadWordException(
          name, "'" + text + "' is not a value of " + field.getName() + ": it is not ASCII");
    }
  }

  private static Optional<Descriptor> message(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE
        ? Optional.of(field.getMessageType())
        : Optional.empty();
  }

  /** As it is called in proto, or in JSON. */
  static Optional<FieldDescriptor> named(Descriptor type, String name) {
    return type.getFields().stream()
        .filter(field -> field.getName().equals(name) || field.getJsonName().equals(name))
        .findFirst();
  }

  private static String at(JsonLocation where) {
    return ", at line " + where.getLineNr() + ", column " + where.getColumnNr();
  }
}
