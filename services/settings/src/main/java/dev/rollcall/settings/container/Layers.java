package dev.rollcall.settings.container;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A file as it was read.
 *
 * @param below what holds where no part says otherwise
 * @param parts in the file's order
 */
record Layers(Syntax syntax, Layer below, List<Layer> parts) {
  /** In which of Slurm's two ways a file is written. */
  enum Syntax {
    /** Of the parts that are for a node all count, and the last goes before the others. */
    CONF(true),
    /** The first part that is for a node counts, and no other. */
    YAML(false);

    private final boolean everyPart;

    Syntax(boolean everyPart) {
      this.everyPart = everyPart;
    }
  }

  Layers {
    parts = List.copyOf(parts);
  }

  /** Of the parts with these numbers, which count; the lowest first. */
  List<Layer> counting(IntPredicate meant) {
    var these = IntStream.range(0, parts.size()).filter(meant).mapToObj(parts::get);
    return syntax.everyPart ? these.toList() : these.limit(1).toList();
  }

  SectionValues together(List<Layer> counting) {
    SectionValues all = below.fields();
    for (Layer layer : counting) {
      all = layer.fields().over(all);
    }
    return all;
  }
}
