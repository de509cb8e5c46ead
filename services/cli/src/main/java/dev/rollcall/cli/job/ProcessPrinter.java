package dev.rollcall.cli.job;

import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.proto.v1.ListedProcess;

/** Prints a process. */
final class ProcessPrinter {
  private ProcessPrinter() {}

  static JsonFields json(ListedProcess process) {
    return new JsonFields()
        .with("pid", process.getProcess().getPid())
        .with("start_time", process.getProcess().getStartTime())
        .with("step", process.getStep())
        .with("command", process.getCommand());
  }
}
