package dev.rollcall.cli.completion;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;

/** A value that an option or a position takes, as far as a shell can offer it. */
sealed interface Value {
  /** None: a flag. */
  record None() implements Value {}

  /** Nothing can be offered. */
  record Text() implements Value {}

  record Job() implements Value {}

  record Node() implements Value {}

  record User() implements Value {}

  record File() implements Value {}

  record OneOf(List<String> words) implements Value {}

  static Value of(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return new None();
    }
    Iterable<String> candidates = argument.completionCandidates();
    if (candidates != null) {
      return new OneOf(words(candidates));
    }
    if (argument.paramLabel().matches("(NAME\\|UID|USER)")) {
      return new User();
    }
    Class<?> type =
        argument.auxiliaryTypes().length > 0 ? argument.auxiliaryTypes()[0] : argument.type();
    return switch (type.getSimpleName()) {
      case "JobId" -> new Job();
      case "NodeName", "NodeNames" -> new Node();
      case "Path" -> new File();
      default -> new Text();
    };
  }

  private static List<String> words(Iterable<String> candidates) {
    var words = new ArrayList<String>();
    candidates.forEach(words::add);
    return List.copyOf(words);
  }

  /** The word that the scripts of bash and zsh have for it. */
  default String word() {
    return switch (this) {
      case None() -> "";
      case Text() -> "text";
      case Job() -> "job";
      case Node() -> "node";
      case User() -> "user";
      case File() -> "file";
      case OneOf(List<String> words) -> "words " + String.join(" ", words);
    };
  }
}
