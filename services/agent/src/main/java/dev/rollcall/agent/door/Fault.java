package dev.rollcall.agent.door;

import java.util.Locale;

/** Why a session at the door was closed without an answer, or with a failure. */
enum Fault {
  NOT_ACCEPTED("whoever knocks has to wait"),
  NOT_ROOT("the peer is not root"),
  NOT_PINNED("the peer could not be pinned"),
  SILENT("the peer said nothing"),
  CROWD("too many peers said nothing: the oldest had to go"),
  TRUNCATED("the peer hung up in the middle of a frame"),
  OVERSIZED("the frame is longer than a request may be"),
  GARBAGE("the frame is not a request"),
  TRAILING("more bytes came after the request"),
  CUT("variables of a job do not fit the reply"),
  NO_CONTAINER("the container of a job could not be opened"),
  NOT_TAKEN("the answer and its descriptors were not taken"),
  BUSY("too many logins are under way"),
  FAILED("the session could not be decided");

  private final String text;

  Fault(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
