package dev.rollcall.wire.audit;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The fields of one audit line, without the common ones. Not thread-safe. */
public final class AuditLine {
  /** Texts come from peers: none may make a line that nobody reads. */
  private static final int LONGEST_TEXT = 1_024;

  private final AuditEvent event;
  private final Map<String, Object> values = new HashMap<>();

  private AuditLine(AuditEvent event) {
    this.event = event;
  }

  public static AuditLine of(AuditEvent event) {
    return new AuditLine(event);
  }

  /** Longer texts are cut, and end in an ellipsis. */
  public AuditLine put(String field, String text) {
    return set(
        field, text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…");
  }

  public AuditLine put(String field, long number) {
    return set(field, number);
  }

  /** A text, with "" for what is not known. */
  public AuditLine putUnlessEmpty(String field, String text) {
    return text.isEmpty() ? this : put(field, text);
  }

  /** Texts and numbers; nothing for what is not known. */
  public AuditLine put(String field, Optional<?> value) {
    return value
        .map(it -> it instanceof Number number ? set(field, number) : put(field, it.toString()))
        .orElse(this);
  }

  private AuditLine set(String field, Object value) {
    if (!event.fields().contains(field)) {
      throw new IllegalArgumentException("a line " + event.word() + " has no " + field);
    }
    values.put(field, value);
    return this;
  }

  AuditEvent event() {
    return event;
  }

  /**
   * @param common values of {@link AuditEvent#COMMON}
   */
  String encode(Map<String, ?> common) {
    var json = new JsonObject();
    AuditEvent.COMMON.forEach(field -> json.put(field, common.get(field)));
    event.fields().forEach(field -> json.put(field, values.get(field)));
    return json.encode();
  }
}
