package dev.rollcall.wire.local;

import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobState;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Answers as the golden files have it; a list is answered when the test does. */
final class ScriptedJobs extends JobServiceGrpc.JobServiceImplBase {
  final BlockingQueue<ServerCallStreamObserver<ListResponse>> lists = new LinkedBlockingQueue<>();
  final BlockingQueue<GetRequest> gets = new LinkedBlockingQueue<>();
  final BlockingQueue<Long> cancelled = new LinkedBlockingQueue<>();

  static Job job() {
    return Job.newBuilder()
        .setJobId(42)
        .setNode("node1")
        .setUid(1001)
        .setGid(1001)
        .setUser("alice")
        .setState(JobState.JOB_STATE_OPEN)
        .build();
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> client) {
    gets.add(request);
    client.onNext(GetResponse.newBuilder().addJobs(job()).build());
    client.onCompleted();
  }

  @Override
  public void begin(BeginRequest request, StreamObserver<BeginResponse> client) {
    client.onError(
        Status.PERMISSION_DENIED
            .withDescription("uid 1001 may not begin a job: root only")
            .asRuntimeException());
  }

  @Override
  public void list(ListRequest request, StreamObserver<ListResponse> client) {
    var call = (ServerCallStreamObserver<ListResponse>) client;
    call.setOnCancelHandler(() -> cancelled.add(1L));
    lists.add(call);
  }

  /** One message, and, for a uid, as many bytes as it says, again and again. */
  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
    var client = (ServerCallStreamObserver<WatchResponse>) observer;
    client.setOnCancelHandler(() -> cancelled.add(2L));
    client.onNext(WatchResponse.newBuilder().setJob(job()).build());
    if (request.getUid() == 0) {
      client.onCompleted();
      return;
    }
    var large = job().toBuilder().setUser("x".repeat(request.getUid())).build();
    client.setOnReadyHandler(() -> {
      while (client.isReady()) {
        client.onNext(WatchResponse.newBuilder().setJob(large).build());
      }
    });
  }
}
