package dev.rollcall.agent.login.log;

import dev.rollcall.model.Worded;

/** Why bytes of the log of logins are no record that counts. */
enum SkippedBytes implements Worded {
  /** They stand between records and do not begin one. */
  NO_MARK,
  /** Another record follows before the end of this one, or the file ends. */
  CUT,
  /** Its length is more than a record may have. */
  LENGTH,
  /** Its checksum is another one. */
  CHECKSUM,
  /** Its message cannot be read. */
  MESSAGE,
  /** It is of another version. */
  VERSION,
  /** It is of another boot. */
  BOOT,
  /** A field of it has a value that it cannot have. */
  VALUE
}
