package dev.rollcall.cli;

import dev.rollcall.proto.v1.EscapeOrigin;
import dev.rollcall.proto.v1.Escapee;
import dev.rollcall.proto.v1.NodeEscapees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Processes in no job, for people and for programs. */
final class OutsideProcessPrinter {
  private final Users users;

  OutsideProcessPrinter(Users users) {
    this.users = users;
  }

  Table table(List<NodeEscapees> nodes) {
    var table = new Table("NODE", "PID", "USER", "COMMAND", "SINCE", "BY", "JOB", "WILL BE");
    for (NodeEscapees node : nodes) {
      for (Escapee escapee : node.getEscapeesList()) {
        table.row(
            node.getNode(),
            escapee.getProcess().getPid(),
            user(escapee.getUid()),
            escapee.getCommand(),
            Values.time(escapee.getStartedAt()),
            by(escapee),
            job(escapee),
            plan(escapee));
      }
      if (node.getLeftOut() > 0) {
        table.row(node.getNode(), "", "", "", "", "and " + node.getLeftOut() + " more", "", "");
      }
      if (!node.getSilence().isEmpty()) {
        table.row(node.getNode(), "", "", "", "", "not told: " + node.getSilence(), "", "");
      }
    }
    return table;
  }

  /** {@code cron}, or {@code ssh of alice, 7-12}. */
  private String by(Escapee escapee) {
    String session =
        escapee.hasSessionUid()
            ? " of " + user(escapee.getSessionUid()) + ", " + escapee.getAdoptionId()
            : "";
    return origin(escapee) + session;
  }

  private static String origin(Escapee escapee) {
    return escapee.getOrigin() == EscapeOrigin.ESCAPE_ORIGIN_UNSPECIFIED
        ? "unknown"
        : word(escapee.getOrigin(), "ESCAPE_ORIGIN_");
  }

  private static String job(Escapee escapee) {
    return escapee.getJobId() == 0
        ? ""
        : Long.toUnsignedString(escapee.getJobId()) + ", by its " + attribution(escapee);
  }

  private static String attribution(Escapee escapee) {
    return word(escapee.getAttribution(), "ESCAPE_ATTRIBUTION_");
  }

  private static String plan(Escapee escapee) {
    return switch (escapee.getPlan()) {
      case ESCAPE_PLAN_ADOPT -> "adopted";
      case ESCAPE_PLAN_END -> "ended";
      case ESCAPE_PLAN_NOTHING, ESCAPE_PLAN_UNSPECIFIED, UNRECOGNIZED -> "left alone";
    };
  }

  @SuppressWarnings("NullAway") // a JSON null
  Map<String, Object> json(NodeEscapees node) {
    var json = new LinkedHashMap<String, Object>();
    json.put("node", node.getNode());
    json.put("silence", node.getSilence().isEmpty() ? null : node.getSilence());
    json.put("observed_at", Values.time(node.getObservedAt()));
    json.put("left_out", node.getLeftOut());
    json.put("escapees", node.getEscapeesList().stream().map(this::json).toList());
    return json;
  }

  @SuppressWarnings("NullAway") // a JSON null
  private Map<String, Object> json(Escapee escapee) {
    var json = new LinkedHashMap<String, Object>();
    json.put("pid", escapee.getProcess().getPid());
    json.put("start_time", escapee.getProcess().getStartTime());
    json.put("user", user(escapee.getUid()));
    json.put("uid", Integer.toUnsignedLong(escapee.getUid()));
    json.put("command", escapee.getCommand());
    json.put("since", Values.time(escapee.getStartedAt()));
    json.put("by", origin(escapee));
    json.put("cgroup", escapee.getCgroup());
    json.put("session", escapee.getAdoptionId().isEmpty() ? null : escapee.getAdoptionId());
    json.put("session_user", escapee.hasSessionUid() ? user(escapee.getSessionUid()) : null);
    boolean attributed = escapee.getJobId() != 0;
    json.put("job", attributed ? escapee.getJobId() : null);
    json.put("job_by", attributed ? attribution(escapee) : null);
    json.put("will_be", plan(escapee));
    return json;
  }

  private String user(int uid) {
    return users.nameOf(Integer.toUnsignedLong(uid));
  }

  private static String word(Enum<?> value, String prefix) {
    return Values.state(value, prefix).replace('_', '-');
  }
}
