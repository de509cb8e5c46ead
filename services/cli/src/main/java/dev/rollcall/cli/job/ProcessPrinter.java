package dev.rollcall.cli.job;

import dev.rollcall.proto.v1.ListedProcess;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints a process. */
final class ProcessPrinter {
  private ProcessPrinter() {}

  static Map<String, Object> json(ListedProcess process) {
    var json = new LinkedHashMap<String, Object>();
    json.put("pid", process.getProcess().getPid());
    json.put("start_time", process.getProcess().getStartTime());
    json.put("step", process.getStep());
    json.put("command", process.getCommand());
    return json;
  }
}
