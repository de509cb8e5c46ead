package dev.rollcall.wire.audit;

import java.util.List;

/**
 * The kinds of audit lines with their fields, in order: the schema of docs/audit.md. Every line has
 * all fields of its kind; what is not known is null. Fields may be added, and are never renamed,
 * removed or given another meaning.
 */
public enum AuditEvent {
  /** The process began to write: {@code seq} counts anew. */
  START("start", "version"),

  /** The process ends in order. */
  STOP("stop"),

  /** What was decided about a login, and carried out. */
  SESSION(
      "session",
      "decision_id",
      "phase",
      "uid",
      "user",
      "service",
      "rhost",
      "local",
      "remote",
      "decision",
      "reason",
      "job",
      "step",
      "doubt",
      "would",
      "would_job",
      "took_ms"),

  /** A call that changes something, one in a person's name, or one that was refused. */
  CALL(
      "call", "role", "name", "uid", "for_uid", "pid", "method", "job", "step", "outcome", "status",
      "detail"),

  /** A node that wanted to connect and may not. */
  CONNECT("connect", "role", "name", "uid", "node", "status", "detail"),

  /** An address that is believed of nobody, or not of this node. */
  ADDRESS("address", "address", "nodes", "outcome", "detail"),

  /** Lines that were not written, as there were too many. */
  LEFT_OUT("left-out", "count", "since");

  /** Those of every line, which come first. */
  public static final List<String> COMMON = List.of("time", "seq", "writer", "host", "event");

  private final String word;
  private final String fields;

  AuditEvent(String word, String... fields) {
    this.word = word;
    this.fields = String.join(" ", fields);
  }

  /** As the field {@code event} has it. */
  public String word() {
    return word;
  }

  /** Without the common ones. */
  public List<String> fields() {
    return fields.isEmpty() ? List.of() : List.of(fields.split(" ", -1));
  }
}
