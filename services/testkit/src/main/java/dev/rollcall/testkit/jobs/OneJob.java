package dev.rollcall.testkit.jobs;

import dev.rollcall.model.JobState;
import dev.rollcall.testkit.history.RecordedCall;
import dev.rollcall.testkit.history.Specification;
import dev.rollcall.testkit.jobs.JobAnswer.Done;
import dev.rollcall.testkit.jobs.JobAnswer.Lives;
import dev.rollcall.testkit.jobs.JobAnswer.Refused;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One job id as one thread would see it: begun, adopted into, suspended, resumed, ended, and begun
 * again. A begin, an end and a suspension take two steps, which others may see: BEGINNING before
 * OPEN, CLOSING before CLOSED, and SUSPENDED before an end that keeps it from being reached.
 */
final class OneJob implements Specification<OneJob.Node, JobDeed, JobAnswer> {
  /**
   * @param life counts the job's begins
   * @param beginner whose begin is between its steps
   * @param ending in which life each call that ends it found the job
   * @param inside the processes adopted in this life
   * @param dead processes that were killed
   */
  record Node(
      JobState state,
      int life,
      Optional<RecordedCall<JobDeed, JobAnswer>> beginner,
      Map<RecordedCall<JobDeed, JobAnswer>, Integer> ending,
      Set<Integer> inside,
      Set<Integer> dead) {
    Node in(JobState next) {
      return new Node(next, life, beginner, ending, inside, dead);
    }

    Node begunBy(RecordedCall<JobDeed, JobAnswer> call) {
      return new Node(JobState.BEGINNING, life + 1, Optional.of(call), ending, Set.of(), dead);
    }

    Node closedBy(RecordedCall<JobDeed, JobAnswer> call) {
      var more = new HashMap<>(ending);
      more.put(call, life);
      return new Node(JobState.CLOSING, life, beginner, more, inside, dead);
    }

    Node gone() {
      return new Node(JobState.CLOSED, life, beginner, ending, Set.of(), with(dead, inside));
    }

    Node adopted(int process) {
      return new Node(state, life, beginner, ending, with(inside, Set.of(process)), dead);
    }

    Node killed(int process) {
      return new Node(state, life, beginner, ending, inside, with(dead, Set.of(process)));
    }

    private static Set<Integer> with(Set<Integer> some, Set<Integer> more) {
      var both = new HashSet<>(some);
      both.addAll(more);
      return both;
    }
  }

  @Override
  public Node start() {
    return new Node(JobState.CLOSED, 0, Optional.empty(), Map.of(), Set.of(), Set.of());
  }

  @Override
  public int steps(JobDeed deed) {
    return switch (deed) {
      case JobDeed.Begin _, JobDeed.End _, JobDeed.Suspend _ -> 2;
      case JobDeed.Adopt _, JobDeed.Resume _, JobDeed.Look _, JobDeed.Pulse _ -> 1;
    };
  }

  @Override
  public Set<Node> after(Node node, RecordedCall<JobDeed, JobAnswer> call, int step) {
    return switch (call.operation()) {
      case JobDeed.Begin _ -> step == 0 ? begins(node, call) : begun(node, call);
      case JobDeed.End _ -> step == 0 ? closes(node, call) : closed(node, call);
      case JobDeed.Suspend _ -> step == 0 ? suspends(node, call) : suspended(node, call);
      case JobDeed.Resume _ -> resumed(node, call.answer());
      case JobDeed.Adopt(int process) -> adopted(node, process, call.answer());
      case JobDeed.Look _ -> only(node, call.answer().equals(new Done(node.state())));
      case JobDeed.Pulse(int process) -> felt(node, process, call.answer());
    };
  }

  private static Set<Node> only(Node next, boolean isSo) {
    return isSo ? Set.of(next) : Set.of();
  }

  /** A begin that finds a job has nothing to do in its first step. */
  private static Set<Node> begins(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    boolean fresh = node.state() == JobState.CLOSED && call.answer().equals(OPEN);
    return fresh ? Set.of(node, node.begunBy(call)) : Set.of(node);
  }

  private static final JobAnswer OPEN = new Done(JobState.OPEN);

  private static Set<Node> begun(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    boolean own = node.beginner().equals(Optional.of(call));
    return switch (node.state()) {
      case BEGINNING -> only(node.in(JobState.OPEN), own);
      case OPEN, SUSPENDED -> only(node, !own && call.answer().equals(new Done(node.state())));
      case CLOSING -> only(node, !own && call.answer().equals(new Refused(node.state())));
      case CLOSED -> Set.of();
    };
  }

  private static Set<Node> closes(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    return switch (node.state()) {
      case BEGINNING -> Set.of();
      case OPEN, SUSPENDED, CLOSING -> only(node.closedBy(call), call.answer() instanceof Done);
      case CLOSED -> only(node, call.answer().equals(new Refused(JobState.CLOSED)));
    };
  }

  /** Of several that end one job the first to come to its second step closes it. */
  private static Set<Node> closed(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    Integer life = node.ending().get(call);
    boolean open = life != null && life == node.life() && node.state() != JobState.CLOSED;
    return Set.of(open ? node.gone() : node);
  }

  private static Set<Node> suspends(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    if (node.state() != JobState.OPEN) {
      return Set.of(node);
    }
    Node stopped = node.in(JobState.SUSPENDED);
    return call.answer() instanceof Done ? Set.of(stopped) : Set.of(node, stopped);
  }

  private static Set<Node> suspended(Node node, RecordedCall<JobDeed, JobAnswer> call) {
    return call.answer() instanceof Done
        // What is reached may be over by the time it is answered.
        ? only(node, call.answer().equals(new Done(JobState.SUSPENDED)))
        : only(node, refusedBy(node, call.answer()));
  }

  private static boolean refusedBy(Node node, JobAnswer answer) {
    return switch (node.state()) {
      case BEGINNING, CLOSING, CLOSED -> answer.equals(new Refused(node.state()));
      case OPEN, SUSPENDED -> false;
    };
  }

  private static Set<Node> resumed(Node node, JobAnswer answer) {
    return switch (node.state()) {
      case OPEN, SUSPENDED -> only(node.in(JobState.OPEN), answer.equals(OPEN));
      case BEGINNING, CLOSING, CLOSED -> only(node, refusedBy(node, answer));
    };
  }

  private static Set<Node> adopted(Node node, int process, JobAnswer answer) {
    return node.state() == JobState.OPEN
        ? only(node.adopted(process), answer.equals(OPEN))
        : only(node, answer.equals(new Refused(node.state())));
  }

  /** While its job closes a process may be dead already; before it is not, and after it is. */
  private static Set<Node> felt(Node node, int process, JobAnswer answer) {
    boolean dead = node.dead().contains(process);
    boolean mayDie = node.state() == JobState.CLOSING && node.inside().contains(process);
    return answer.equals(new Lives(true))
        ? only(node, !dead)
        : only(node.killed(process), dead || mayDie);
  }
}
