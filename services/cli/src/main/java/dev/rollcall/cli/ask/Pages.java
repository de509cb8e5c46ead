package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Lists that are told in parts. */
public final class Pages {
  private static final int MOST = 10_000;

  private Pages() {}

  /** Lists all jobs that a request is about. */
  public static List<Job> jobs(Channel channel, ListRequest.Builder request) {
    return jobs(channel, request, _ -> {});
  }

  /**
   * @param restricted takes the reason why jobs of other nodes are not there, empty if they are
   */
  public static List<Job> jobs(
      Channel channel, ListRequest.Builder request, Consumer<String> restricted) {
    var service = JobServiceGrpc.newBlockingStub(channel);
    return all(
        token -> {
          ListResponse part = service.list(request.setPageToken(token).build());
          restricted.accept(part.getRestriction());
          return part;
        },
        ListResponse::getJobsList,
        ListResponse::getNextPageToken);
  }

  /**
   * Asks for one part after the other.
   *
   * @param ask by the token of the part, empty for the first
   */
  public static <T, R> List<T> all(
      Function<String, R> ask, Function<R, List<T>> items, Function<R, String> nextToken) {
    var all = new ArrayList<T>();
    String token = "";
    for (int page = 0; page < MOST; page++) {
      R response = ask.apply(token);
      all.addAll(items.apply(response));
      token = nextToken.apply(response);
      if (token.isEmpty()) {
        return all;
      }
    }
    throw new CommandFailure(
        ExitCode.FAILED, "a list does not end: " + all.size() + " in " + MOST + " parts");
  }
}
