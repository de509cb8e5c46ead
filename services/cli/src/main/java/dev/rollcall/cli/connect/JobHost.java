package dev.rollcall.cli.connect;

import dev.rollcall.model.NodeName;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job as the host name of an ssh configuration: {@code job-42}, or {@code job-42-n001} for one of
 * its nodes; {@code job-latest} and {@code job-name-NAME}.
 *
 * @param job as {@link dev.rollcall.cli.ask.JobWord} reads it
 */
record JobHost(String job, Optional<NodeName> node) {
  private static final Pattern FORM = Pattern.compile("job-(name-.+|[^-]+)(?:-(.+))?");

  /**
   * Reads a host name.
   *
   * @throws IllegalArgumentException naming the text, if it is none of these
   */
  static JobHost parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is neither job-JOB nor job-JOB-NODE, job-latest nor job-name-NAME");
    }
    return new JobHost(found.group(1), Optional.ofNullable(found.group(2)).map(NodeName::new));
  }
}
