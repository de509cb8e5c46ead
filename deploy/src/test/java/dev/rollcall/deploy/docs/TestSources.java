package dev.rollcall.deploy.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tests of the source tree, in Java and in C.
 *
 * @param classes sources by the name of the class; two classes of a name are one entry
 * @param programs names of files
 */
record TestSources(Map<String, String> classes, Set<String> programs) {
  private static final Path HOUSE = Path.of(System.getProperty("rollcall.home", ".."));
  private static final Pattern JAVA = Pattern.compile("([A-Z]\\w+(?:Test|Contract))(?:#(\\w+))?");
  private static final Pattern C = Pattern.compile("\\w+_test\\.c");
  private static final Pattern METHOD = Pattern.compile("void (\\w+)\\(");

  static TestSources read() throws IOException {
    var classes = new HashMap<String, String>();
    var programs = new HashSet<String>();
    for (String part : List.of("services", "gateway", "deploy", "load-tests")) {
      for (Path file : SourceFiles.below(HOUSE.resolve(part))) {
        String name = file.getFileName().toString();
        if (file.toString().contains("/src/test/") && name.endsWith(".java")) {
          classes.merge(name.replace(".java", ""), Files.readString(file), String::concat);
        }
      }
    }
    for (String part :
        List.of(
            "services/testkit/src",
            "services/pam/tests",
            "services/container/tests",
            "services/brief")) {
      for (Path file : SourceFiles.below(HOUSE.resolve(part))) {
        String name = file.getFileName().toString();
        if (name.endsWith("Contract.java")) {
          classes.merge(name.replace(".java", ""), Files.readString(file), String::concat);
        } else if (C.matcher(name).matches()) {
          programs.add(name);
        }
      }
    }
    return new TestSources(classes, programs);
  }

  /**
   * Names of the tests whose subject is a class of the lab or of the testkit: {@code VisitTest}.
   */
  static Set<String> ofTheLab() throws IOException {
    var names = new HashSet<String>();
    for (String part : List.of("services/lab/src/main", "services/testkit/src/main")) {
      for (Path file : SourceFiles.below(HOUSE.resolve(part))) {
        String name = file.getFileName().toString();
        if (name.endsWith(".java")) {
          names.add(name.replace(".java", "Test"));
        }
      }
    }
    return names;
  }

  /** Whether it is written as the name of a test: a class, one of its methods, or a program. */
  static boolean isName(String text) {
    return JAVA.matcher(text).matches() || C.matcher(text).matches();
  }

  boolean contain(String name) {
    Matcher test = JAVA.matcher(name);
    if (!test.matches()) {
      return programs.contains(name);
    }
    String source = classes.get(test.group(1));
    String method = test.group(2);
    return source != null
        && (method == null
            || METHOD.matcher(source).results().anyMatch(found -> found.group(1).equals(method)));
  }
}
