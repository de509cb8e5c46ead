package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a PAM stack, pam.conf(5).
 *
 * @param type {@code auth}, {@code account}, {@code password} or {@code session}
 * @param control {@code required} and such, or all that is in brackets
 * @param module without the directory
 * @param folder of the module; empty where libpam looks for it in its own
 */
public record PamLine(
    String type, String control, String module, String folder, List<String> arguments) {
  private static final int DEEPEST = 16;
  private static final Pattern LINE =
      Pattern.compile("-?(\\w+)\\s+(\\[[^\\]]*\\]|\\S+)\\s+(\\S+)(.*)");

  public PamLine {
    arguments = List.copyOf(arguments);
  }

  boolean is(String name) {
    return module.equals(name + ".so") || module.equals(name);
  }

  /** Whether the stack ends here for those whom the module takes. */
  boolean endsTheStack() {
    return control.equals("sufficient") || control.contains("success=done");
  }

  /**
   * The lines of a service, with those of what it includes in their places.
   *
   * @param file reads a file of {@code /etc/pam.d} by its name
   */
  public static List<PamLine> stack(String service, Function<String, Optional<String>> file) {
    return stack(service, "", file, 0);
  }

  private static List<PamLine> stack(
      String name, String only, Function<String, Optional<String>> file, int depth) {
    List<PamLine> lines = new ArrayList<>();
    if (depth > DEEPEST) {
      return lines;
    }
    String text = file.apply(name).orElse("").replace("\\\n", " ");
    for (String raw : text.split("\n", -1)) {
      String line = raw.replaceFirst("#.*", "").strip();
      if (line.startsWith("@include ")) {
        lines.addAll(stack(line.substring(9).strip(), only, file, depth + 1));
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches() || !(only.isEmpty() || only.equals(matcher.group(1)))) {
        continue;
      }
      String type = matcher.group(1);
      String control = matcher.group(2);
      if (control.equals("include") || control.equals("substack")) {
        lines.addAll(stack(matcher.group(3), type, file, depth + 1));
      } else {
        String words = matcher.group(4).strip();
        lines.add(
            new PamLine(
                type,
                control,
                matcher.group(3).replaceFirst(".*/", ""),
                matcher.group(3).replaceFirst("[^/]*$", ""),
                words.isEmpty() ? List.of() : List.of(words.split("\\s+", -1))));
      }
    }
    return lines;
  }
}
