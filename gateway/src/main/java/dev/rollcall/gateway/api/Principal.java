package dev.rollcall.gateway.api;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessAnswer;
import java.util.Optional;
import java.util.Set;

/**
 * The user, node or service that makes a request, with its rights to see data. Data that it may not
 * see looks as if it did not exist. Pure; the table is that of docs/security.md, "Who may ask
 * what".
 */
public sealed interface Principal {
  /** An administrator. */
  record Everybody() implements Principal {}

  /** A user that the gateway has identified, or that a login node names. */
  record User(int uid) implements Principal {}

  /**
   * A user that a compute node names. Root there could name any user, so the answer has only data
   * that this root can read anyway.
   */
  record UserAt(int uid, Identity.Node node) implements Principal {}

  /** Root on a node. */
  record Root(Identity.Node node) implements Principal {}

  /** A service of the site. */
  record Service(Set<Endpoint> endpoints) implements Principal {}

  /** Nothing is there for them. */
  record Nobody() implements Principal {}

  /** Whether a job, or part of one, is there for them. */
  default boolean maySeeJob(NodeName on, int owner) {
    return switch (this) {
      case Everybody() -> true;
      case User(int uid) -> uid == owner;
      case UserAt(int uid, Identity.Node node) -> uid == owner && node.name().equals(on);
      case Root(Identity.Node node) -> node.name().equals(on);
      case Service _, Nobody() -> false;
    };
  }

  /** Whether anything on this node can be there for them. */
  default boolean maySeeSomeAt(NodeName node) {
    return switch (this) {
      case Everybody(), User _ -> true;
      case UserAt(_, Identity.Node own) -> own.name().equals(node);
      case Root(Identity.Node own) -> own.name().equals(node);
      case Service _, Nobody() -> false;
    };
  }

  /** The only user whose data they may see; empty: they may see all users' data, or none. */
  default Optional<Integer> own() {
    return switch (this) {
      case User(int uid) -> Optional.of(uid);
      case UserAt(int uid, _) -> Optional.of(uid);
      case Everybody(), Root _, Service _, Nobody() -> Optional.empty();
    };
  }

  /** Whether a decision about a session is there for them: as a job there would be. */
  default boolean maySeeAdoption(NodeName on, int uid) {
    return maySeeJob(on, uid);
  }

  /** Whether the principal could see the answer; if not, no node is asked. */
  default boolean mayAsk(Connection call) {
    return switch (this) {
      case Everybody(), User _ -> true;
      case UserAt(_, Identity.Node node) -> endsAt(node, call);
      case Root(Identity.Node node) -> endsAt(node, call);
      case Service(Set<Endpoint> own) -> own.contains(call.local()) || own.contains(call.remote());
      case Nobody() -> false;
    };
  }

  private static boolean endsAt(Identity.Node node, Connection call) {
    return node.addresses().contains(call.local().address())
        || node.addresses().contains(call.remote().address());
  }

  /** Whether the caller of a connection about which they may ask is there for them. */
  default boolean maySeeCaller(int uid) {
    return switch (this) {
      case Everybody(), Root _, Service _ -> true;
      case User(int own) -> own == uid;
      case UserAt(int own, _) -> own == uid;
      case Nobody() -> false;
    };
  }

  /** Whether they may follow calls, and see this one. A service asks about calls it has. */
  default boolean mayWatch(Connection call, int uid) {
    return !(this instanceof Service) && mayAsk(call) && maySeeCaller(uid);
  }

  /** Which nodes there are is no secret to nodes and users. */
  default boolean maySeeNodes() {
    return !(this instanceof Service || this instanceof Nobody);
  }

  /** Why they see nothing of other nodes, for people; empty: they do, or nothing at all. */
  default String restriction() {
    return switch (this) {
      case UserAt(_, Identity.Node node) ->
          "this node may not list your jobs of other nodes: it has no certificate of a login node"
              + " ('rollcall ca issue login %s')".formatted(node.name());
      case Root(Identity.Node node) ->
          "root of node %s sees only that node: administrators ask a gateway with a certificate"
              .formatted(node.name());
      case Everybody(), User _, Service _, Nobody() -> "";
    };
  }

  /** The answer as this asker sees it. */
  default CallerAnswer seen(CallerAnswer answer) {
    return switch (answer) {
      case CallerAnswer.Found(Caller caller) when !maySeeCaller(caller.uid()) -> notThere();
      case CallerAnswer.Unknown _ when this instanceof User || this instanceof UserAt -> notThere();
      case CallerAnswer.Found _, CallerAnswer.Unknown _, CallerAnswer.Unreachable _ -> answer;
    };
  }

  /** The answer about a process as this client sees it: by the same rule as the job. */
  default ProcessAnswer seen(NodeName on, ProcessAnswer answer) {
    boolean all = this instanceof Everybody || this instanceof Root;
    return switch (answer) {
      case ProcessAnswer.InJob found when maySeeJob(on, found.uid()) -> answer;
      case ProcessAnswer.InNoJob _ when all && maySeeSomeAt(on) -> answer;
      case ProcessAnswer.Unknown _ when all && maySeeSomeAt(on) -> answer;
      case ProcessAnswer.InJob _, ProcessAnswer.InNoJob _, ProcessAnswer.Unknown _ ->
          new ProcessAnswer.Unknown("no process of yours is known there");
    };
  }

  /** The answer for clients that may not ask: the same as for an unknown call. */
  static CallerAnswer notThere() {
    return new CallerAnswer.Unknown("no call of yours is known there");
  }
}
