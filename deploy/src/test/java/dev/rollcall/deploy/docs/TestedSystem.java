package dev.rollcall.deploy.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A system on which a class of tests runs, by its annotation {@code RunsOn}.
 *
 * @param test the name of the class
 * @param tags the tags of the class
 * @param facts the annotation's values by their names
 */
record TestedSystem(String test, List<String> tags, Map<String, String> facts) {
  private static final String LITERALS = "((?:\"[^\"]*\"[\\s+]*)+)";
  private static final Pattern ANNOTATION =
      Pattern.compile("@RunsOn\\(((?:\\s*\\w+\\s*=\\s*" + LITERALS + ",?)+)\\)");
  private static final Pattern FACT = Pattern.compile("(\\w+)\\s*=\\s*" + LITERALS);
  private static final Pattern TAG = Pattern.compile("(?m)^@Tag\\(\"(\\w+)\"\\)");

  /** Those of a class, in the order of its source. */
  static List<TestedSystem> of(String test, String source) {
    List<String> tags = TAG.matcher(source).results().map(tag -> tag.group(1)).toList();
    var systems = new ArrayList<TestedSystem>();
    Matcher annotation = ANNOTATION.matcher(source);
    while (annotation.find()) {
      var facts = new TreeMap<String, String>();
      FACT.matcher(annotation.group(1))
          .results()
          .forEach(fact -> facts.put(fact.group(1), text(fact.group(2))));
      systems.add(new TestedSystem(test, tags, facts));
    }
    return systems;
  }

  /** Of literals that are joined by a plus sign. */
  private static String text(String literals) {
    return Pattern.compile("\"([^\"]*)\"")
        .matcher(literals)
        .results()
        .map(literal -> literal.group(1))
        .collect(Collectors.joining());
  }

  String fact(String name, String otherwise) {
    return facts.getOrDefault(name, otherwise);
  }

  /** The tier of {@code ./rollcall test} that has the class, as services/lab/tiers.sh divides. */
  String tier() {
    if (tags.contains("vm") || tags.contains("machine")) {
      return "machine";
    }
    return tags.contains("cluster") || tags.contains("slurm") ? "cluster" : "root";
  }

  boolean isFull() {
    return tags.contains("full");
  }

  /** With {@code --slurm VERSION} the part of a tier that has a real Slurm is the choice. */
  String command() {
    String options = fact("options", "");
    return "./rollcall test"
        + (options.startsWith("--slurm ") ? "" : " " + tier())
        + (isFull() ? " --full" : "")
        + (options.isEmpty() ? "" : " " + options);
  }

  String row() {
    return "| %s | %s | %s | %s | %s | %s: `%s` | `%s` |\n"
        .formatted(
            fact("system", ""),
            fact("architecture", "x86-64"),
            fact("kernel", ""),
            fact("slurm", "-"),
            fact("selinux", "-"),
            fact("tests", ""),
            test,
            command());
  }
}
