package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.port.Roll.Presence;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.ProcessesQuestion;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.proto.v1.NodeProcesses;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lists a job's processes. It asks each node, and uses the roll for nodes that do not answer. */
public record ProcessListing(Roll roll, Workers workers, Router router) {
  private static final Duration PATIENCE = Duration.ofMillis(500);

  /** As many as an agent sends. */
  private static final int MOST_PROCESSES = 20_000;

  CompletableFuture<ListProcessesResponse> list(Principal asker, JobId job) {
    Duration patience = ServiceReplies.patience(PATIENCE);
    return workers
        .run(() -> JobEntries.of(roll, job, asker))
        .thenCompose(known -> ask(asker, known, patience));
  }

  private CompletableFuture<ListProcessesResponse> ask(
      Principal asker, List<JobEntry> known, Duration patience) {
    List<CompletableFuture<NodeProcesses>> answers =
        known.stream().map(entry -> ask(entry, patience)).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ ->
            ListProcessesResponse.newBuilder()
                .setRestriction(asker.restriction())
                .addAllNodes(answers.stream().map(CompletableFuture::join).toList())
                .build());
  }

  private CompletableFuture<NodeProcesses> ask(JobEntry entry, Duration patience) {
    NodeName node = entry.node();
    if (!(roll.presence(node) instanceof Presence.Connected(Owner.OneNode owner))) {
      return fromRoll(entry);
    }
    return router
        .ask(owner, question(entry.job().id()), patience)
        .thenCompose(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  router
                      .answers()
                      .read(
                          node,
                          () -> CompletableFuture.completedFuture(live(node, said.getProcesses())),
                          _ -> fromRoll(entry));
              case NodeReply.Silent _ -> fromRoll(entry);
            });
  }

  private static ConnectResponse question(JobId job) {
    return ConnectResponse.newBuilder()
        .setProcessesQuestion(ProcessesQuestion.newBuilder().setJobId(job.number()))
        .build();
  }

  private static NodeProcesses live(NodeName node, ProcessesAnswer said) {
    if (said.getProcessesCount() > MOST_PROCESSES) {
      throw new BadWordException(
          "processes_answer",
          said.getProcessesCount() + " processes are more than " + MOST_PROCESSES);
    }
    var processes =
        NodeProcesses.newBuilder()
            .setNode(node.text())
            .setLive(true)
            .setObservedAt(said.getObservedAt());
    said.getProcessesList()
        .forEach(process -> {
          var _ = CallerMapper.toModel(process.getProcess(), "processes_answer.processes.process");
          processes.addProcesses(
              ListedProcess.newBuilder()
                  .setProcess(process.getProcess())
                  .setStep(process.getStep())
                  .setCommand(process.getCommand()));
        });
    return processes.build();
  }

  private CompletableFuture<NodeProcesses> fromRoll(JobEntry entry) {
    return workers.run(() -> {
      var processes =
          NodeProcesses.newBuilder()
              .setNode(entry.node().text())
              .setObservedAt(CallerMapper.timestamp(entry.observedAt()));
      roll.processes(entry.node(), entry.job().id())
          .forEach(process -> processes.addProcesses(JobMapper.listed(process)));
      return processes.build();
    });
  }
}
