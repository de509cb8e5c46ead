package dev.rollcall.port;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster-wide record: nodes, their jobs with processes, calls. Every statement carries the
 * epoch of the node that makes it; a statement of an epoch that has been replaced is ignored.
 * Methods block (tens of microseconds to a second while a member dies) and are thread-safe; they
 * throw {@link RollUnavailableException} when the grid cannot answer.
 */
public interface Roll extends AutoCloseable {
  /** What a node says of itself. */
  record Attendance(
      NodeEpoch epoch,
      Set<InetAddress> addresses,
      String gateway,
      String version,
      String callSource) {
    public Attendance {
      addresses = Set.copyOf(addresses);
    }
  }

  /**
   * A node as the roll has it.
   *
   * @param lost true when its lease ended
   */
  record NodeEntry(Attendance attendance, Instant heardAt, boolean lost, int jobs) {}

  /**
   * A job on a node.
   *
   * @param observedAt when the node read the processes
   * @param stale true when the node's lease ended since
   */
  record JobEntry(
      NodeEpoch epoch, Job job, List<JobProcess> processes, Instant observedAt, boolean stale) {
    public JobEntry {
      processes = List.copyOf(processes);
    }
  }

  /** Whose an address is. An address that two attending nodes claim belongs to neither. */
  sealed interface Owner {
    record OneNode(NodeName node, String gateway) implements Owner {}

    record Nobody() implements Owner {}

    record Disputed(Set<NodeName> nodes) implements Owner {}
  }

  /** A node attends: its lease begins. What an earlier epoch said stays until {@link #complete}. */
  void attend(Attendance attendance, Duration lease);

  /**
   * Renews the lease. Returns false when the epoch has been replaced or was lost: the node must
   * attend anew.
   */
  boolean renew(NodeEpoch epoch, Duration lease);

  /** The node has told its full state: everything that its other epochs said goes. */
  void complete(NodeEpoch epoch);

  void enterJob(JobEntry entry);

  void strikeJob(NodeEpoch epoch, JobId job);

  /** Enters a call; it leaves by itself after {@code keep}. */
  void enterCall(NodeEpoch epoch, Call call, Duration keep);

  /** Forgets every call of a node, whose announcements have a gap. */
  void strikeCalls(NodeEpoch epoch);

  /** Who made this call, if it was entered and is not over. */
  Optional<Caller> caller(Connection connection);

  Owner ownerOf(InetAddress address);

  List<NodeEntry> nodes();

  List<JobEntry> jobs();

  /**
   * Nodes whose lease has ended lose their calls and keep their jobs, marked stale. Any member may
   * call this, as often as it likes. Returns the newly lost.
   */
  List<NodeName> expire();

  @Override
  void close();
}
