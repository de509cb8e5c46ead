package dev.rollcall.agent.login.socket;

/** Why a connection was closed without an answer, or what its answer lacks. */
enum RequestFailure {
  NOT_ACCEPTED("no connection can be accepted now"),
  NOT_ROOT("the peer is not root"),
  NOT_PINNED("the peer could not be pinned"),
  SILENT("the peer sent nothing in time"),
  CROWD("too many peers sent nothing: the oldest was closed"),
  TRUNCATED("the peer disconnected within a frame"),
  OVERSIZED("the frame is longer than a request may be"),
  GARBAGE("the frame is not a request"),
  TRAILING("more bytes came after the request"),
  CUT("variables of a job do not fit the reply"),
  NOT_TAKEN("the answer and its descriptors could not be sent"),
  UNANSWERED("the login was not answered");

  private final String text;

  RequestFailure(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
