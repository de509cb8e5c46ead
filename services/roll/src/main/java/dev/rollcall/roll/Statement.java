package dev.rollcall.roll;

/** A value of one of the roll's maps: what a node said, in which sitting. */
sealed interface Statement permits NodeValue, JobValue, CallValue {
  String node();

  /** Grows with each attendance of the node. */
  long sitting();

  /** Orders statements of one sitting about one thing. */
  long rank();

  /** Whether this was said after the other; what different nodes say has no order. */
  default boolean supersedes(Statement other) {
    return !node().equals(other.node())
        || sitting() > other.sitting()
        || (sitting() == other.sitting() && rank() > other.rank());
  }
}
