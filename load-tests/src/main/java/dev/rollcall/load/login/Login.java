package dev.rollcall.load.login;

import dev.rollcall.load.bench.BenchFailedException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One answer of the probe.
 *
 * @param target as {@link LoginTarget#text()}
 * @param accountNanos of pam_acct_mgmt
 * @param startNanos of pam_start, which reads the stack and loads the module
 * @param result libpam's number; 0 is PAM_SUCCESS
 * @param job that the session was told it is in
 */
record Login(String target, long accountNanos, long startNanos, int result, Optional<String> job) {
  static final int PERMITTED = 0;

  /** PAM_PERM_DENIED of Linux-PAM's _pam_types.h. */
  static final int REFUSED = 6;

  private static final Pattern LINE = Pattern.compile("(\\S+) (\\d+) (\\d+) (\\d+) (\\S+)");

  static Login parse(String line) {
    Matcher words = LINE.matcher(line);
    if (!words.matches()) {
      throw new BenchFailedException("the login probe said '" + line + "'");
    }
    String job = words.group(5);
    return new Login(
        words.group(1),
        Long.parseLong(words.group(2)),
        Long.parseLong(words.group(3)),
        Integer.parseInt(words.group(4)),
        job.equals("-") ? Optional.empty() : Optional.of(job));
  }

  double accountMicros() {
    return accountNanos / 1_000.0;
  }
}
