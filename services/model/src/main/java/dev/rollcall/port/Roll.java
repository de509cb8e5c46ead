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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cluster-wide registry of nodes, their jobs with processes, and calls. Every statement is made
 * in a {@link Registration}; a statement of a registration that was replaced or lost is ignored,
 * however late it comes. Methods block (tens of microseconds, while a member dies up to two
 * seconds, never longer) and are thread-safe; they throw {@link RollUnavailableException} when the
 * grid does not answer in that time, and then the statement may or may not have been taken: making
 * it again is harmless.
 */
public interface Roll extends AutoCloseable {
  /**
   * What a node says of itself.
   *
   * @param addresses of its interfaces, which its certificate or the site's file lists
   * @param gateway the id of the gateway that holds its stream, host:port, as in {@link
   *     GatewayMail}
   * @param reported others of its interfaces, in a network where the site trusts nodes' reports
   * @param reserved others that are listed for it, and on none of its interfaces now
   * @param certificateEnds of the certificate with which it connected
   */
  record NodeDescription(
      NodeEpoch epoch,
      Set<InetAddress> addresses,
      String gateway,
      String version,
      String callSource,
      Set<InetAddress> reported,
      Set<InetAddress> reserved,
      Optional<Instant> certificateEnds) {
    public NodeDescription {
      addresses = Set.copyOf(addresses);
      reported = Set.copyOf(reported);
      reserved = Set.copyOf(reserved);
    }

    /** All addresses are listed ones. */
    public NodeDescription(
        NodeEpoch epoch,
        Set<InetAddress> addresses,
        String gateway,
        String version,
        String callSource) {
      this(epoch, addresses, gateway, version, callSource, Set.of(), Set.of(), Optional.empty());
    }

    /** The same, connected with a certificate that ends then. */
    public NodeDescription until(Instant end) {
      return new NodeDescription(
          epoch, addresses, gateway, version, callSource, reported, reserved, Optional.of(end));
    }

    /** The addresses that the node claims for itself. */
    public Set<InetAddress> claimed() {
      return Stream.concat(addresses.stream(), reported.stream())
          .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether an address is listed for this node, so that no other node may report it. */
    public boolean lists(InetAddress address) {
      return addresses.contains(address) || reserved.contains(address);
    }
  }

  /**
   * One registration of a node, from {@link #connect} until the next one: a run of the agent has
   * one for each stream it opens. Only the node's latest registration may make statements.
   *
   * @param number grows with each registration of the node; means nothing between nodes
   */
  record Registration(NodeEpoch epoch, long number) {
    public NodeName node() {
      return epoch.node();
    }
  }

  /** Where a node stands with the roll. */
  sealed interface Standing {
    record Connected(Registration registration) implements Standing {}

    /**
     * A later registration of the node holds the roll: this one's stream should be closed.
     *
     * @param gateway which holds the later one
     */
    record Replaced(NodeEpoch by, String gateway) implements Standing {}

    /** The lease ended or the roll has forgotten the node: it must connect again and tell all. */
    record Lost() implements Standing {}
  }

  /**
   * A node as the roll has it.
   *
   * @param lost true when its lease ended
   * @param jobs how many the roll has of it, stale ones too
   */
  record NodeEntry(NodeDescription description, Instant heardAt, boolean lost, int jobs) {
    public NodeName node() {
      return description.epoch().node();
    }
  }

  /**
   * A job on a node, without its processes, which {@link #processes} reads.
   *
   * @param user the name of the job's user as this node has it, for people; may be empty
   * @param observedAt when the node read the processes
   * @param stale true when the node's lease ended since
   */
  record JobEntry(NodeEpoch epoch, Job job, String user, Instant observedAt, boolean stale) {
    public NodeName node() {
      return epoch.node();
    }
  }

  /**
   * A process in a job of a node.
   *
   * @param observedAt when the node read the job's processes
   * @param stale true when the node's lease ended since
   */
  record ProcessEntry(Job job, JobProcess process, Instant observedAt, boolean stale) {}

  /**
   * What the roll has of some of a node's processes.
   *
   * @param heardAt when the node was last heard of
   * @param lost true when its lease ended
   * @param complete whether the node has sent its full state since it connected
   * @param jobs how many the node has
   * @param found those of the processes that are in its jobs
   */
  record NodeProcesses(
      Instant heardAt, boolean lost, boolean complete, int jobs, List<ProcessEntry> found) {
    public NodeProcesses {
      found = List.copyOf(found);
    }
  }

  /**
   * Whose an address is. An address that two connected nodes claim belongs to neither; a lost node
   * claims nothing. What a node reports counts only if the address is listed for no node, a lost
   * one included.
   */
  sealed interface Owner {
    /** Decides from the nodes of which any claims the address, or has it listed. */
    static Owner of(
        InetAddress address,
        Collection<NodeDescription> connected,
        Collection<NodeDescription> lost) {
      boolean isListed =
          Stream.concat(connected.stream(), lost.stream()).anyMatch(node -> node.lists(address));
      List<OneNode> claiming =
          connected.stream()
              .filter(node -> (isListed ? node.addresses() : node.reported()).contains(address))
              .map(node -> new OneNode(node.epoch().node(), node.gateway()))
              .limit(Disputed.MOST)
              .toList();
      return switch (claiming.size()) {
        case 0 -> new Nobody();
        case 1 -> claiming.getFirst();
        default -> new Disputed(claiming.stream().map(OneNode::node).collect(Collectors.toSet()));
      };
    }

    record OneNode(NodeName node, String gateway) implements Owner {}

    record Nobody() implements Owner {}

    /**
     * @param nodes at most {@link #MOST}: an address of a bridge may be claimed by all
     */
    record Disputed(Set<NodeName> nodes) implements Owner {
      public static final int MOST = 8;

      public Disputed {
        nodes = Set.copyOf(nodes);
      }
    }
  }

  /**
   * How much the roll has, of all gateways.
   *
   * @param nodes that are connected
   * @param lost nodes whose lease ended
   * @param jobs once for each node that they are on
   */
  record Size(int nodes, int lost, int jobs, int calls) {}

  /** Whether a node is connected. */
  sealed interface Presence {
    /**
     * @param at the gateway that has its stream
     */
    record Connected(Owner.OneNode at) implements Presence {}

    record Lost() implements Presence {}

    record Unknown() implements Presence {}
  }

  /**
   * A node connects: its lease begins. Its jobs stay until {@link #complete}. Calls that it told on
   * earlier streams do not count any more: those that it has made since, perhaps of the same ends,
   * may not have arrived. Returns Connected, or Replaced when a later run of the node's agent is
   * connected already.
   */
  Standing connect(NodeDescription description, Duration lease);

  /** Renews the lease. */
  Standing renew(Registration registration, Duration lease);

  /**
   * The node's stream has ended: none of its calls counts until it connects again. Its lease ends
   * after this time.
   */
  void disconnected(Registration registration, Duration lease);

  /**
   * Whether this registration's stream is the one on which its node reports calls, as far as this
   * member has heard. From memory.
   */
  boolean isOpen(Registration registration);

  /** The node has told its full state. Its jobs that were not told in this registration go. */
  void complete(Registration registration);

  /**
   * Enters a job or replaces it.
   *
   * @param user the name of its user on this node, or empty
   * @param processes all of them
   * @param observedAt when the node read them
   */
  void enterJob(
      Registration registration,
      Job job,
      String user,
      List<JobProcess> processes,
      Instant observedAt);

  void strikeJob(Registration registration, JobId job);

  /**
   * Enters calls, each of which leaves by itself after {@code keep}, whatever is done to a wall
   * clock. Of the same ends the later call wins.
   *
   * @param made in the order in which they were made
   */
  void enterCalls(Registration registration, List<Call> made, Duration keep);

  /** Forgets who made this call, which was entered in this registration or before, if it was. */
  void strikeCall(Registration registration, Connection connection);

  /** Forgets the calls of a node that were entered until now: its announcements have a gap. */
  void strikeCalls(Registration registration);

  /**
   * Returns the caller, if the call was entered on the stream of its node that is open. Does not
   * wait: the answer comes on any thread, which must not be held, or it fails with {@link
   * RollUnavailableException}, or the client gives up.
   *
   * @param connection as the caller's end sees it
   * @param mostAge a call that was entered longer ago is an earlier one with the same ends
   */
  CompletableFuture<Optional<Caller>> caller(Connection connection, Duration mostAge);

  /** From memory: what another member changed is seen here some milliseconds later. */
  Owner ownerOf(InetAddress address);

  /** Returns the addresses of all nodes that the roll has, lost ones too; from memory. */
  Set<InetAddress> addresses();

  /** From memory, as {@link #ownerOf}. */
  Presence presence(NodeName node);

  /** The nodes that are connected, from memory, as {@link #ownerOf}. */
  List<Owner.OneNode> connected();

  /** Reads the entries of all nodes, and counts those of all jobs. */
  List<NodeEntry> nodes();

  /** Reads the entries of all jobs. */
  List<JobEntry> jobs();

  /** Reads only the entries of this job: one for each node that has it. */
  List<JobEntry> job(JobId job);

  /** The processes of a job on a node as the node sent them last; none where there is no job. */
  List<JobProcess> processes(NodeName node, JobId job);

  /**
   * Finds processes of jobs by node and pid, all in one operation. A node that the roll does not
   * have is absent.
   */
  Map<NodeName, NodeProcesses> processesByPid(Map<NodeName, Set<Integer>> pids);

  /**
   * Nodes whose lease has ended lose their calls and keep their jobs, marked stale. Any member may
   * call this, as often as it likes, about once a second. Returns the newly lost: each loss is told
   * to exactly one caller.
   */
  List<NodeName> expire();

  Size size();

  @Override
  void close();
}
