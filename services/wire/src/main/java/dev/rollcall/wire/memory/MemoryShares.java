package dev.rollcall.wire.memory;

/**
 * How much of this process's memory is in use, from 0 to 1.
 *
 * @param heap of the heap
 * @param direct of the limit of direct memory, which connections use for what they send and get
 */
record MemoryShares(double heap, double direct) {
  double most() {
    return Math.max(heap, direct);
  }

  @Override
  public String toString() {
    return "%.0f %% of the heap and %.0f %% of direct memory are in use"
        .formatted(100 * heap, 100 * direct);
  }
}
