package dev.rollcall.cli.connect;

import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job as the host name of an ssh configuration: {@code job-42}, or {@code job-42-n001} for one of
 * its nodes.
 */
record JobHost(JobId job, Optional<NodeName> node) {
  private static final Pattern FORM = Pattern.compile("job-([0-9]+)(?:-(.+))?");

  /**
   * Reads a host name.
   *
   * @throws IllegalArgumentException naming the text, if it is none of these
   */
  static JobHost parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException("'" + text + "' is neither job-JOB nor job-JOB-NODE");
    }
    return new JobHost(
        JobId.parse(found.group(1)), Optional.ofNullable(found.group(2)).map(NodeName::new));
  }
}
