package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.JobIncident;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells what a job, its steps and its sessions used on this node. */
@Command(
    name = "usage",
    description = "Show the usage of a job, its steps and its sessions on this node.")
public final class UsageCommand extends JobCommand {
  @Option(
      names = "--watch",
      description =
          "Keep running: print records as sessions and steps end, and incidents of the job.")
  private boolean watch;

  @Override
  public Integer call() {
    var request = GetUsageRequest.newBuilder().setJobId(job.number()).build();
    List<UsageRecord> records = asking.jobs(service -> service.getUsage(request)).getRecordsList();
    Table table = UsagePrinter.table();
    records.forEach(record -> UsagePrinter.row(table, record));
    printing.print(table, records.stream().map(UsagePrinter::json).toList());
    if (watch) {
      goOn();
    }
    return ExitCode.OK.status();
  }

  private void goOn() {
    var request = WatchUsageRequest.newBuilder().setJobId(job.number()).build();
    asking.follow(channel -> {
      Iterator<WatchUsageResponse> told =
          JobServiceGrpc.newBlockingStub(channel).watchUsage(request);
      while (printing.isRead() && told.hasNext()) {
        print(told.next());
      }
      return true;
    });
  }

  private void print(WatchUsageResponse told) {
    switch (told.getWhatCase()) {
      case RECORD -> {
        Table table = UsagePrinter.table();
        UsagePrinter.row(table, told.getRecord());
        printing.print(table.lines().getLast(), UsagePrinter.json(told.getRecord()));
      }
      case INCIDENT ->
          printing.print(text(told.getIncident()), UsagePrinter.json(told.getIncident()));
      case WHAT_NOT_SET -> {}
    }
  }

  private static String text(JobIncident incident) {
    return "%s  %s in %d.%s%s: %s, %d times"
        .formatted(
            Values.clock(incident.getAt()),
            UsagePrinter.word(incident),
            incident.getJob().getJobId(),
            incident.getJob().getStep(),
            incident.hasSession() ? " session " + incident.getSession() : "",
            incident.getWhat(),
            incident.getTimes());
  }
}
