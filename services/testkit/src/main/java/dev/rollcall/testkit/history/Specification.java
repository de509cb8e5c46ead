package dev.rollcall.testkit.history;

import java.util.Set;

/**
 * What a thing does when one thread alone uses it. Pure; states are values with equality.
 *
 * @param <S> states
 * @param <O> operations
 * @param <A> answers
 */
public interface Specification<S, O, A> {
  S start();

  /**
   * In how many steps it takes effect, between which others may see how far it is: an end closes a
   * job first and is over later.
   */
  default int steps(O operation) {
    return 1;
  }

  /**
   * The states that may follow.
   *
   * @param step from 0
   * @return empty if the call cannot have had this answer here
   */
  Set<S> after(S state, RecordedCall<O, A> call, int step);
}
