package dev.rollcall.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file in Slurm's syntax, line by line: {@code Key=Value} pairs, comments with {@code #},
 * continued lines with a backslash, double quotes, and {@code Include FILE}, relative to the first
 * file's directory; {@code %c} in its name is the ClusterName before it, slurm.conf(5). A value may
 * be empty. What cannot be read is a problem, and the rest is read all the same.
 */
public final class SlurmLines {
  private static final int DEEPEST_INCLUDE = 8;
  private static final int MOST_LINES = 100_000;
  private static final Pattern PAIR =
      Pattern.compile("([A-Za-z][A-Za-z0-9_]*)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s\"]+)|$)(?=\\s|$)");
  private static final Pattern INCLUDE =
      Pattern.compile("include\\s+(\\S+)\\s*", Pattern.CASE_INSENSITIVE);

  /**
   * A key as it is written, and its value without quotes.
   *
   * @param place its own line, where a line goes on over several
   */
  public record Pair(String key, String value, FilePosition place) {}

  /**
   * What belongs together.
   *
   * @param whole nothing of the line was left out for a problem
   */
  public record Line(List<Pair> pairs, boolean whole) {
    public Line {
      pairs = List.copyOf(pairs);
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private String cluster = "%c";
  private int count;

  private SlurmLines() {}

  /** Reads a file, and those that it includes. */
  public static SlurmLines read(Path file) {
    var read = new SlurmLines();
    switch (FileText.of(file)) {
      case FileText.Text(String text) -> read.add(file, text.replaceFirst("^\uFEFF", ""), 0);
      case FileText.Unreadable(String reason) ->
          read.problems.add(new Problem(new FilePosition(file.toString(), 0), reason));
    }
    return read;
  }

  /** Those with a pair at least, in the order in which they are read. */
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /**
   * Reads a value that is yes or no, in any of Slurm's words.
   *
   * @throws IllegalArgumentException naming the value
   */
  public static boolean bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "yes", "up", "true", "1" -> true;
      case "no", "down", "false", "0" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither yes nor no");
    };
  }

  private void add(Path file, String text, int depth) {
    List<String> physical = text.lines().toList();
    var line = new StringBuilder();
    var numbers = new TreeMap<Integer, Integer>();
    for (int number = 1; number <= physical.size(); number++) {
      String part = withoutComment(physical.get(number - 1));
      boolean goesOn = part.endsWith("\\");
      numbers.put(line.length(), number);
      line.append(goesOn ? part.substring(0, part.length() - 1) : part);
      if (!goesOn || number == physical.size()) {
        count++;
        take(new Joined(file, line.toString(), new TreeMap<>(numbers)), depth);
        line.setLength(0);
        numbers.clear();
      }
    }
  }

  /** A line with those that continue it, and where in it which of the file's lines begins. */
  private record Joined(Path file, String text, TreeMap<Integer, Integer> numbers) {
    FilePosition at(int offset) {
      return new FilePosition(file.toString(), numbers.floorEntry(offset).getValue());
    }
  }

  /** A backslash before it makes the sign a part of the value, as Slurm has it. */
  private static String withoutComment(String line) {
    for (int at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
      if (at == 0 || line.charAt(at - 1) != '\\') {
        return line.substring(0, at).stripTrailing();
      }
    }
    return line.stripTrailing();
  }

  /** Comments, which are no longer there, may be in another encoding. */
  private void take(Joined line, int depth) {
    int wrong = line.text.indexOf(FileText.NOT_UTF_8);
    if (wrong >= 0) {
      problems.add(new Problem(line.at(wrong), "is not text in UTF-8"));
      return;
    }
    Matcher include = INCLUDE.matcher(line.text.strip());
    if (include.matches()) {
      include(line, include.group(1), depth);
      return;
    }
    List<Pair> pairs = new ArrayList<>();
    Matcher pair = PAIR.matcher(line.text);
    int end = 0;
    while (pair.find(end) && line.text.substring(end, pair.start()).isBlank()) {
      String value =
          Optional.ofNullable(pair.group(2))
              .or(() -> Optional.ofNullable(pair.group(3)))
              .orElse("");
      if (pair.group(1).equalsIgnoreCase("ClusterName")) {
        cluster = value;
      }
      pairs.add(new Pair(pair.group(1), value.replace("\\#", "#"), line.at(pair.start())));
      end = pair.end();
    }
    String rest = line.text.substring(end);
    if (!rest.isBlank()) {
      int begin = end + rest.length() - rest.stripLeading().length();
      problems.add(new Problem(line.at(begin), "expected Key=Value, not '" + rest.strip() + "'"));
    }
    if (!pairs.isEmpty()) {
      lines.add(new Line(pairs, rest.isBlank()));
    }
  }

  private void include(Joined line, String name, int depth) {
    String trouble;
    if (depth == DEEPEST_INCLUDE) {
      trouble = "includes are nested over " + DEEPEST_INCLUDE;
    } else if (count > MOST_LINES) {
      trouble = "includes make over " + MOST_LINES + " lines";
    } else {
      trouble = included(line.file, name, depth);
    }
    if (!trouble.isEmpty() && !stopped(trouble)) {
      problems.add(new Problem(line.at(0), trouble));
    }
  }

  /** Files that include each other say the same at every turn: once is enough. */
  private boolean stopped(String trouble) {
    return trouble.startsWith("includes")
        && problems.stream().anyMatch(problem -> problem.text().startsWith("includes"));
  }

  /** What is wrong with it, or nothing. */
  private String included(Path file, String name, int depth) {
    try {
      Path other = file.resolveSibling(name.replace("%c", cluster));
      return switch (FileText.of(other)) {
        case FileText.Text(String text) -> {
          add(other, text, depth + 1);
          yield "";
        }
        case FileText.Unreadable(String reason) -> "include " + other + ": " + reason;
      };
    } catch (InvalidPathException e) {
      return "include: " + e.getMessage();
    }
  }
}
