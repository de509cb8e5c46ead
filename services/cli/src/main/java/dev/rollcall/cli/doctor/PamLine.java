package dev.rollcall.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A line of a PAM stack, pam.conf(5).
 *
 * @param type {@code auth}, {@code account}, {@code password} or {@code session}
 * @param control {@code required} and such, or all that is in brackets
 * @param module without the directory
 * @param folder of the module; empty where libpam looks for it in its own
 * @param skipped whether libpam skips the line without a log line if the module is missing: {@code
 *     -account}
 * @param substack the substacks that the line is in, the outermost first
 */
public record PamLine(
    String type,
    String control,
    String module,
    String folder,
    List<String> arguments,
    boolean skipped,
    List<String> substack) {
  private static final int DEEPEST = 16;
  private static final Pattern LINE =
      Pattern.compile("(-?)(\\w+)\\s+(\\[[^\\]]*\\]|\\S+)\\s+(\\S+)(.*)");

  /** An argument in brackets may have spaces. */
  private static final Pattern ARGUMENT = Pattern.compile("\\[((?:\\\\.|[^\\]])*)\\]|\\S+");

  /** A comment ends before the line does, so a backslash in it continues nothing. */
  private static final Pattern CONTINUED = Pattern.compile("(?m)#.*$|\\\\[ \\t]*\\n");

  private static final Pattern ON_SUCCESS = Pattern.compile("success=(\\w+)");
  private static final Pattern BY_DEFAULT = Pattern.compile("default=(\\w+)");

  public PamLine {
    arguments = List.copyOf(arguments);
    substack = List.copyOf(substack);
  }

  boolean is(String name) {
    return module.equals(name + ".so") || module.equals(name);
  }

  /** Whether it is one of ours that decides something. */
  boolean isOurs() {
    return is("pam_rollcall") && !type.equals("auth");
  }

  /**
   * Whether a later line is not reached by those whom this module admits. In a substack only the
   * rest of that substack is skipped.
   *
   * @param distance to the later line, in lines of their type
   */
  boolean endsTheStackBefore(PamLine later, int distance) {
    String action = control.equals("sufficient") ? "done" : action();
    boolean skips = action.matches("[0-9]{1,4}") && Integer.parseInt(action) >= distance;
    boolean ends = skips || action.equals("done");
    return ends
        && substack.size() <= later.substack.size()
        && substack.equals(later.substack.subList(0, substack.size()));
  }

  /** After a success: {@code done}, a number of lines to skip, or another word; pam.conf(5). */
  private String action() {
    return Stream.of(ON_SUCCESS, BY_DEFAULT)
        .map(pattern -> pattern.matcher(control))
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .findFirst()
        .orElse("");
  }

  /**
   * The lines of a service, with those of what it includes in their places.
   *
   * @param file reads a file by its name, as libpam finds it
   */
  public static List<PamLine> stack(String service, Function<String, Optional<String>> file) {
    return stack(service, "", file, List.of(), 0);
  }

  private static List<PamLine> stack(
      String name,
      String only,
      Function<String, Optional<String>> file,
      List<String> substack,
      int depth) {
    List<PamLine> lines = new ArrayList<>();
    if (depth > DEEPEST) {
      return lines;
    }
    // libpam compares all but names of files and arguments without regard to case.
    String text =
        CONTINUED
            .matcher(file.apply(name).orElse(""))
            .replaceAll(found -> found.group().startsWith("#") ? "" : " ");
    for (String raw : text.split("\n", -1)) {
      String line = raw.strip();
      if (line.regionMatches(true, 0, "@include ", 0, 9)) {
        lines.addAll(stack(line.substring(9).strip(), only, file, substack, depth + 1));
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches() || !(only.isEmpty() || only.equalsIgnoreCase(matcher.group(2)))) {
        continue;
      }
      String type = matcher.group(2).toLowerCase(Locale.ROOT);
      String control = matcher.group(3).toLowerCase(Locale.ROOT);
      String module = matcher.group(4);
      if (control.equals("include")) {
        lines.addAll(stack(module, type, file, substack, depth + 1));
      } else if (control.equals("substack")) {
        List<String> inner = Stream.concat(substack.stream(), Stream.of(module)).toList();
        lines.addAll(stack(module, type, file, inner, depth + 1));
      } else {
        lines.add(
            new PamLine(
                type,
                control,
                module.replaceFirst(".*/", ""),
                module.replaceFirst("[^/]*$", ""),
                arguments(matcher.group(5)),
                !matcher.group(1).isEmpty(),
                substack));
      }
    }
    return lines;
  }

  private static List<String> arguments(String words) {
    return ARGUMENT
        .matcher(words)
        .results()
        .map(found -> found.group(1) == null ? found.group() : found.group(1))
        .toList();
  }
}
