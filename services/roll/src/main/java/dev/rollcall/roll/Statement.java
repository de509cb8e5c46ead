package dev.rollcall.roll;

/** A value of one of the roll's maps: what a node said, in which registration. */
sealed interface Statement permits NodeValue, JobValue, CallValue {
  String node();

  /** Grows with each registration of the node. */
  long registration();

  /** Orders statements of one registration about one thing. */
  long rank();

  /** Whether this was said after the other; what different nodes say has no order. */
  default boolean supersedes(Statement other) {
    return !node().equals(other.node())
        || registration() > other.registration()
        || (registration() == other.registration() && rank() > other.rank());
  }
}
