package dev.rollcall.cli;

import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import io.grpc.Channel;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists jobs, those of this node at its agent, those of the cluster at a gateway. */
@Command(name = "jobs", description = "List jobs: of this node, or by a gateway of every node.")
final class JobsCommand implements Callable<Integer> {
  @Mixin private final Asking asking;
  @Mixin private final Printing printing = new Printing();

  @Option(names = "--user", paramLabel = "NAME|UID", description = "Only jobs of this user.")
  private @Nullable String user;

  @Option(names = "--node", paramLabel = "NAME", description = "Only jobs on this node.")
  private @Nullable NodeName node;

  private final Users users;

  JobsCommand(Outside outside) {
    asking = new Asking(outside.exchange());
    users = outside.users();
  }

  @Override
  public Integer call() {
    ListRequest.Builder request = ListRequest.newBuilder();
    if (user != null) {
      request.setUid((int) UserOption.uidOf(user, users));
    }
    if (node != null) {
      request.setNode(node.text());
    }
    List<Job> jobs = asking.ask(channel -> list(channel, request.build()));
    var words = new JobWords(users);
    printing.print(words.table(jobs), jobs.stream().map(words::json).toList());
    return ExitCode.OK.status();
  }

  /** No jobs on a node that is not there is a mistake in the name, not an empty list. */
  private List<Job> list(Channel channel, ListRequest request) {
    var service = JobServiceGrpc.newBlockingStub(channel);
    List<Job> jobs =
        Pages.all(
            token -> service.list(request.toBuilder().setPageToken(token).build()),
            ListResponse::getJobsList,
            ListResponse::getNextPageToken);
    boolean doubtful =
        jobs.isEmpty() && !request.getNode().isEmpty() && asking.target() instanceof Target.Gateway;
    if (doubtful && !isNode(channel, request.getNode())) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no node is named '" + request.getNode() + "'");
    }
    return jobs;
  }

  private static boolean isNode(Channel channel, String name) {
    return NodesCommand.list(channel).stream().anyMatch(node -> node.getNode().equals(name));
  }
}
