package dev.rollcall.gateway.http;

/** A part of a request that cannot be. */
final class BadFieldException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String problem;

  /**
   * @param field by its name in the path, the query or the body; "body" for all of it
   */
  BadFieldException(String field, String problem) {
    super(field + ": " + problem);
    this.field = field;
    this.problem = problem;
  }

  String field() {
    return field;
  }

  String problem() {
    return problem;
  }
}
