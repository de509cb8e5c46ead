package dev.rollcall.deploy.share;

import picocli.CommandLine.Model.ArgSpec;

/**
 * A value that an option or a position takes, as far as a shell can offer it.
 *
 * @param word that the scripts of bash and zsh have for it; empty for a flag
 */
record Value(String word) {
  static final String WORDS = "words ";
  static final Value NONE = new Value("");
  static final Value FILE = new Value("file");

  static Value oneOf(Iterable<String> words) {
    return new Value(WORDS + String.join(" ", words));
  }

  static Value of(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return NONE;
    }
    if (argument.completionCandidates() != null) {
      return oneOf(argument.completionCandidates());
    }
    if (argument.paramLabel().matches("(NAME\\|UID|USER)")) {
      return new Value("user");
    }
    Class<?> type =
        argument.auxiliaryTypes().length > 0 ? argument.auxiliaryTypes()[0] : argument.type();
    return switch (type.getSimpleName()) {
      case "JobId" -> new Value("job");
      case "NodeName", "NodeNames" -> new Value("node");
      case "Path" -> FILE;
      default -> new Value("text");
    };
  }
}
