package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import dev.rollcall.settings.Problem;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The findings in a file: problems that refuse it, and notes that do not. None is there twice. */
final class Findings {
  private static final Comparator<Problem> BY_LINE =
      Comparator.comparing((Problem problem) -> problem.place().file())
          .thenComparingInt(problem -> problem.place().line());

  private final Set<Problem> problems = new LinkedHashSet<>();
  private final Set<Problem> notes = new LinkedHashSet<>();

  void problem(FilePosition place, String text) {
    problems.add(new Problem(place, text));
  }

  void note(FilePosition place, String text) {
    notes.add(new Problem(place, text));
  }

  List<Problem> problems() {
    return problems.stream().sorted(BY_LINE).toList();
  }

  List<Problem> notes() {
    return notes.stream().sorted(BY_LINE).toList();
  }
}
