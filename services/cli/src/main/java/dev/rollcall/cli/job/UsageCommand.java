package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.JobIncident;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.SilentNode;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what a job, its steps and its sessions used. */
@Command(
    name = "usage",
    description =
        "Show the usage of a job, its steps and its sessions on this node, or, through a gateway,"
            + " on all nodes.")
public final class UsageCommand extends JobCommand {
  @Option(
      names = "--watch",
      description =
          "Keep running: print records as sessions and steps of this node end, and incidents of"
              + " the job. Through a gateway: print the usage again every ten seconds, until the"
              + " job is on no node.")
  private boolean watch;

  @Override
  public Integer call() {
    var request = GetUsageRequest.newBuilder().setJobId(job.number()).build();
    GetUsageResponse response = asking.jobs(service -> service.getUsage(request));
    List<UsageRecord> records = response.getRecordsList();
    List<SilentNode> silent = response.getSilentNodesList();
    if (records.isEmpty() && silent.isEmpty() && !watch) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          Values.because(
              "no job " + job + " is known to the " + asking.target(), response.getRestriction()));
    }
    Table table = UsagePrinter.table();
    records.forEach(record -> UsagePrinter.row(table, record));
    printing.print(
        table,
        Stream.concat(
                records.stream().map(UsagePrinter::json), silent.stream().map(UsagePrinter::json))
            .toList());
    silent.forEach(node -> printing.note(node.getSilence()));
    if (watch) {
      goOn();
    }
    return (silent.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE).status();
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
      case SILENT_NODE -> printing.note(told.getSilentNode().getSilence());
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
