package dev.rollcall.testkit.process;

/**
 * The result of a finished command.
 *
 * @param exit its status; 128 + N when signal N ended it
 * @param millis from its start to its end
 */
public record Result(String out, String err, int exit, long millis) {
  public boolean ok() {
    return exit == 0;
  }

  /** Standard output, or a failure that shows what the command said. */
  public String outOrThrow(String what) {
    if (!ok()) {
      throw new RigException(what + " failed: exit " + exit + ", " + (err + out).strip());
    }
    return out;
  }
}
