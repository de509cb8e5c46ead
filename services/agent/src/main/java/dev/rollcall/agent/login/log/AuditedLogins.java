package dev.rollcall.agent.login.log;

import dev.rollcall.wire.lines.JsonLinesFile;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds which adoptions have a line at the end of the audit file. */
final class AuditedLogins {
  private static final Pattern ID = Pattern.compile("\"decision_id\":\"([0-9a-z-]+)\"");

  /** Some 10,000 lines: many more than are written between two positions of the log. */
  private static final int TAIL = 4 << 20;

  private AuditedLogins() {}

  /** Their ids. Half a line, as a killed agent may leave one, does not count. */
  static Set<String> in(Path auditFile) {
    return JsonLinesFile.lastLines(auditFile, TAIL).stream()
        .filter(line -> line.endsWith("}"))
        .flatMap(line -> ID.matcher(line).results())
        .map(id -> id.group(1))
        .collect(Collectors.toSet());
  }
}
