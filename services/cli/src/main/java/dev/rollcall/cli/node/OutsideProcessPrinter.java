package dev.rollcall.cli.node;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsideProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Processes in no job, for people and for programs. */
final class OutsideProcessPrinter {
  private final Users users;

  OutsideProcessPrinter(Users users) {
    this.users = users;
  }

  Table table(List<NodeOutsideProcesses> nodes) {
    var table = new Table("NODE", "PID", "USER", "COMMAND", "SINCE", "BY", "JOB", "WILL BE");
    for (NodeOutsideProcesses node : nodes) {
      for (OutsideProcess outsideProcess : node.getOutsideProcessesList()) {
        table.row(
            node.getNode(),
            outsideProcess.getProcess().getPid(),
            user(outsideProcess.getUid()),
            outsideProcess.getCommand(),
            Values.clock(outsideProcess.getStartedAt()),
            by(outsideProcess),
            job(outsideProcess),
            plan(outsideProcess));
      }
      if (node.getLeftOut() > 0) {
        table.row(node.getNode(), "", "", "", "", "and " + node.getLeftOut() + " more", "", "");
      }
      if (!node.getSilence().isEmpty()) {
        table.row(node.getNode(), "", "", "", "", "no answer: " + node.getSilence(), "", "");
      }
    }
    return table;
  }

  /** {@code cron}, or {@code ssh of alice, 7-12}. */
  private String by(OutsideProcess outsideProcess) {
    String session =
        outsideProcess.hasSessionUid()
            ? " of " + user(outsideProcess.getSessionUid()) + ", " + outsideProcess.getAdoptionId()
            : "";
    return origin(outsideProcess) + session;
  }

  private static String origin(OutsideProcess outsideProcess) {
    return outsideProcess.getOrigin() == OutsideOrigin.OUTSIDE_ORIGIN_UNSPECIFIED
        ? "unknown"
        : word(outsideProcess.getOrigin(), "OUTSIDE_ORIGIN_");
  }

  private static String job(OutsideProcess outsideProcess) {
    return outsideProcess.getJobId() == 0
        ? ""
        : Long.toUnsignedString(outsideProcess.getJobId())
            + ", by its "
            + attribution(outsideProcess);
  }

  private static String attribution(OutsideProcess outsideProcess) {
    return word(outsideProcess.getAttribution(), "OUTSIDE_ATTRIBUTION_");
  }

  private static String plan(OutsideProcess outsideProcess) {
    return switch (outsideProcess.getPlan()) {
      case OUTSIDE_PLAN_ADOPT -> "adopted";
      case OUTSIDE_PLAN_END -> "ended";
      case OUTSIDE_PLAN_NOTHING, OUTSIDE_PLAN_UNSPECIFIED, UNRECOGNIZED -> "left alone";
    };
  }

  @SuppressWarnings("NullAway") // a JSON null
  Map<String, Object> json(NodeOutsideProcesses node) {
    var json = new LinkedHashMap<String, Object>();
    json.put("node", node.getNode());
    json.put("silence", node.getSilence().isEmpty() ? null : node.getSilence());
    json.put("observed_at", Values.time(node.getObservedAt()));
    json.put("left_out", node.getLeftOut());
    json.put("processes", node.getOutsideProcessesList().stream().map(this::json).toList());
    return json;
  }

  @SuppressWarnings("NullAway") // a JSON null
  private Map<String, Object> json(OutsideProcess outsideProcess) {
    var json = new LinkedHashMap<String, Object>();
    json.put("pid", outsideProcess.getProcess().getPid());
    json.put("start_time", outsideProcess.getProcess().getStartTime());
    json.put("user", user(outsideProcess.getUid()));
    json.put("uid", Integer.toUnsignedLong(outsideProcess.getUid()));
    json.put("command", outsideProcess.getCommand());
    json.put("since", Values.time(outsideProcess.getStartedAt()));
    json.put("by", origin(outsideProcess));
    json.put("cgroup", outsideProcess.getCgroup());
    json.put(
        "session",
        outsideProcess.getAdoptionId().isEmpty() ? null : outsideProcess.getAdoptionId());
    json.put(
        "session_user",
        outsideProcess.hasSessionUid() ? user(outsideProcess.getSessionUid()) : null);
    boolean attributed = outsideProcess.getJobId() != 0;
    json.put("job", attributed ? outsideProcess.getJobId() : null);
    json.put("job_by", attributed ? attribution(outsideProcess) : null);
    json.put("will_be", plan(outsideProcess));
    return json;
  }

  private String user(int uid) {
    return users.nameOf(Integer.toUnsignedLong(uid));
  }

  private static String word(Enum<?> value, String prefix) {
    return Values.state(value, prefix).replace('_', '-');
  }
}
