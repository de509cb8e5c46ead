package dev.rollcall.lab.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command of a page, where it is typed, and what the page shows of the answer. The prompt {@code
 * n001,n002# } is one of root's on both machines.
 */
record Typed(List<String> machines, String command, List<String> shown) {
  private static final Pattern PROMPT = Pattern.compile("([a-z0-9,]+)# (.*)");
  private static final Pattern HERE = Pattern.compile("<<'([A-Z]+)'");
  private static final Pattern CHANGES =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|[0-9]+|\\s+");

  /** All of a page, in its order. */
  static List<Typed> in(Path page) throws IOException {
    List<Typed> typed = new ArrayList<>();
    var lines = Files.readAllLines(page).iterator();
    boolean within = false;
    while (lines.hasNext()) {
      String line = lines.next();
      Matcher prompt = PROMPT.matcher(line);
      if (line.startsWith("```")) {
        within = line.equals("```") && !within;
      } else if (within && prompt.matches()) {
        var command = new StringBuilder(prompt.group(2));
        Matcher here = HERE.matcher(prompt.group(2));
        for (String end = here.find() ? here.group(1) : "", next = ""; !next.equals(end); ) {
          next = lines.next();
          command.append('\n').append(next);
        }
        typed.add(
            new Typed(
                List.of(prompt.group(1).split(",", -1)), command.toString(), new ArrayList<>()));
      } else if (within) {
        typed.getLast().shown.add(line);
      }
    }
    return typed;
  }

  /** The lines that were shown and did not come; numbers and times may be others. */
  List<String> missing(String answer) {
    List<String> said = answer.lines().map(Typed::lasting).toList();
    return shown.stream().filter(line -> !said.contains(lasting(line))).toList();
  }

  private static String lasting(String line) {
    return CHANGES.matcher(line.strip()).replaceAll("#");
  }

  @Override
  public String toString() {
    return String.join(",", machines) + "# " + command;
  }
}
