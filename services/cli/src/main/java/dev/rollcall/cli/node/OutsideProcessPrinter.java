package dev.rollcall.cli.node;

import dev.rollcall.cli.ask.Users;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.OutsideOrigin;
import dev.rollcall.proto.v1.OutsideProcess;
import java.util.List;

/** Processes in no job, for people and for programs. */
record OutsideProcessPrinter(Users users) {
  Table table(List<NodeOutsideProcesses> nodes) {
    var table = new Table("NODE", "PID", "USER", "COMMAND", "SINCE", "BY", "JOB", "WILL BE");
    for (NodeOutsideProcesses node : nodes) {
      for (OutsideProcess outsideProcess : node.getOutsideProcessesList()) {
        table.row(
            node.getNode(),
            outsideProcess.getProcess().getPid(),
            users.nameOf(outsideProcess.getUid()),
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
            ? " of "
                + users.nameOf(outsideProcess.getSessionUid())
                + ", "
                + outsideProcess.getAdoptionId()
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

  JsonFields json(NodeOutsideProcesses node) {
    return new JsonFields()
        .with("node", node.getNode())
        .withText("silence", node.getSilence())
        .with("observed_at", Values.time(node.getObservedAt()))
        .with("left_out", node.getLeftOut())
        .with("processes", node.getOutsideProcessesList().stream().map(this::json).toList());
  }

  private JsonFields json(OutsideProcess outsideProcess) {
    boolean attributed = outsideProcess.getJobId() != 0;
    return new JsonFields()
        .with("pid", outsideProcess.getProcess().getPid())
        .with("start_time", outsideProcess.getProcess().getStartTime())
        .with("user", users.nameOf(outsideProcess.getUid()))
        .with("uid", Integer.toUnsignedLong(outsideProcess.getUid()))
        .with("command", outsideProcess.getCommand())
        .with("since", Values.time(outsideProcess.getStartedAt()))
        .with("by", origin(outsideProcess))
        .with("cgroup", outsideProcess.getCgroup())
        .withText("session", outsideProcess.getAdoptionId())
        .with(
            "session_user",
            outsideProcess.hasSessionUid() ? users.nameOf(outsideProcess.getSessionUid()) : null)
        .with("job", attributed ? outsideProcess.getJobId() : null)
        .with("job_by", attributed ? attribution(outsideProcess) : null)
        .with("will_be", plan(outsideProcess));
  }

  private static String word(Enum<?> value, String prefix) {
    return Values.state(value, prefix).replace('_', '-');
  }
}
