package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.rollcall.proto.roll.v1.CallsLost;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallContractTest {
  @TempDir Path directory;

  private static ConnectResponse order(long number) {
    return ConnectResponse.newBuilder()
        .setCallsLost(CallsLost.newBuilder().setLost(number))
        .build();
  }

  private Rig rig(Transport transport, ScriptedRoll service) throws Exception {
    return new Rig(transport, directory, KeepAlive.CALM, service);
  }

  @ParameterizedTest
  @EnumSource
  void aServiceKnowsItsPeer(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = rig(transport, service)) {
      var _ = rig.connect(rig.channel(), new Recorder<>());
      Peer peer = service.peer.get(5, TimeUnit.SECONDS);
      switch (transport) {
        case UNIX -> {
          var local = assertInstanceOf(Peer.Local.class, peer);
          assertEquals(ProcessHandle.current().pid(), local.pid());
          var self = new com.sun.security.auth.module.UnixSystem();
          assertEquals(self.getUid(), local.uid());
          assertEquals(self.getGid(), local.gid());
        }
        case TCP -> assertInstanceOf(Peer.Anonymous.class, peer);
        case TLS -> {
          var certified = assertInstanceOf(Peer.Certified.class, peer);
          assertTrue(certified.ends().isAfter(Instant.now()));
          assertEquals(
              new Peer.Certified(
                  "client",
                  Set.of(InetAddress.ofLiteral("10.77.0.1"), InetAddress.ofLiteral("fd77::1")),
                  Set.of("rollcall://alps/node/node1"),
                  certified.ends()),
              peer);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServiceThatThrowsEndsTheCallWithInternal(Transport transport) throws Exception {
    var service =
        new ScriptedRoll((_, _) -> {
          throw new IllegalArgumentException("no such thing");
        });
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder).onNext(Rig.hello("node1"));
      Status end = recorder.end();
      assertEquals(Status.Code.INTERNAL, end.getCode());
      assertTrue(String.valueOf(end.getDescription()).contains("no such thing"), end.toString());
      service.contextEnded.get(5, TimeUnit.SECONDS);
      service.cancelled.get(5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServiceThatThrowsAtOnceEndsTheCallWithInternal(Transport transport) throws Exception {
    var service =
        new RollServiceGrpc.RollServiceImplBase() {
          @Override
          public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
            throw new IllegalStateException("not today");
          }
        };
    try (var rig = new Rig(transport, directory, KeepAlive.CALM, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var _ = RollServiceGrpc.newStub(rig.channel()).connect(recorder);
      assertEquals(Status.Code.INTERNAL, recorder.end().getCode());
    }
  }

  @ParameterizedTest
  @EnumSource
  void tenMegabytesArriveInChunks(Transport transport) throws Exception {
    var bytes = new AtomicLong();
    var service =
        new ScriptedRoll((event, stream) -> {
          bytes.addAndGet(event.getSerializedSize());
          if (event.hasStateComplete()) {
            stream.onNext(order(bytes.get()));
          }
        });
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      StreamObserver<ConnectRequest> requests = rig.connect(rig.channel(), recorder);
      ConnectRequest chunk = Rig.hello("x".repeat(500_000));
      IntStream.range(0, 21).forEach(_ -> requests.onNext(chunk));
      var last = ConnectRequest.newBuilder();
      last.getStateCompleteBuilder();
      requests.onNext(last.build());
      assertTrue(recorder.next().getCallsLost().getLost() > 10_000_000);
      requests.onCompleted();
      assertEquals(Status.Code.OK, recorder.end().getCode());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMessageOverTheLimitIsRefusedByItsSize(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder)
          .onNext(Rig.hello("x".repeat(MessageLimits.MESSAGE_BYTES)));
      Status end = recorder.end();
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, end.getCode());
      assertTrue(String.valueOf(end.getDescription()).contains("1048576"), end.toString());
      service.cancelled.get(5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerOverTheLimitIsRefusedByItsSize(Transport transport) throws Exception {
    var large = order(1).toBuilder();
    large.getCallsLostBuilder().setNode("x".repeat(MessageLimits.MESSAGE_BYTES));
    var service = new ScriptedRoll((_, stream) -> stream.onNext(large.build()));
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder).onNext(Rig.hello("node1"));
      Status end = recorder.end();
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, end.getCode());
      assertTrue(String.valueOf(end.getDescription()).contains("1048576"), end.toString());
      service.contextEnded.get(5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesThatAreNoMessageEndTheCall(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ByteString, ConnectResponse>();
      MethodDescriptor<ByteString, ConnectResponse> garbled =
          RollServiceGrpc.getConnectMethod().toBuilder(
                  new Raw(), RollServiceGrpc.getConnectMethod().getResponseMarshaller())
              .build();
      StreamObserver<ByteString> requests =
          ClientCalls.asyncBidiStreamingCall(
              rig.channel().newCall(garbled, CallOptions.DEFAULT), recorder);
      requests.onNext(ByteString.fromHex("ffffffffffff"));
      assertEquals(Status.Code.INTERNAL, recorder.end().getCode());
      service.cancelled.get(5, TimeUnit.SECONDS);
    }
  }

  private static final class Raw implements MethodDescriptor.Marshaller<ByteString> {
    @Override
    public InputStream stream(ByteString value) {
      return new ByteArrayInputStream(value.toByteArray());
    }

    @Override
    public ByteString parse(InputStream stream) {
      throw new UnsupportedOperationException();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStatusKeepsItsDescriptionAfterMessages(Transport transport) throws Exception {
    String text = "node 'köln': 1+1 = 100 %";
    var service =
        new ScriptedRoll((_, stream) ->
            stream.onError(Status.FAILED_PRECONDITION.withDescription(text).asRuntimeException()));
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder).onNext(Rig.hello("node1"));
      Status end = recorder.end();
      assertEquals(Status.Code.FAILED_PRECONDITION, end.getCode());
      assertEquals(text, end.getDescription());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatCancelsIsNoticed(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var _ = rig.connect(rig.channel(), recorder);
      java.util.Objects.requireNonNull(recorder.requests).cancel("changed its mind", null);
      assertEquals(Status.Code.CANCELLED, recorder.end().getCode());
      service.cancelled.get(5, TimeUnit.SECONDS);
      service.contextEnded.get(5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallEndsByItsDeadlineOnBothSides(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = rig(transport, service)) {
      GrpcChannel channel = rig.channel();
      var _ = rig.connect(channel, new Recorder<>()); // a connection, however long it takes
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var _ =
          RollServiceGrpc.newStub(channel)
              .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
              .connect(recorder);
      assertEquals(Status.Code.DEADLINE_EXCEEDED, recorder.end().getCode());
      service.cancelled.get(5, TimeUnit.SECONDS);
      service.contextEnded.get(5, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServiceMayAnswerFromAnotherThread(Transport transport) throws Exception {
    int count = 5_000;
    var service =
        new ScriptedRoll((_, stream) ->
            Thread.startVirtualThread(() -> {
              for (int i = 0; i < count; i++) {
                stream.onNext(order(i));
              }
              stream.onCompleted();
            }));
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder).onNext(Rig.hello("node1"));
      assertEquals(Status.Code.OK, recorder.end().getCode());
      List<Long> seen =
          recorder.messages.stream().map(order -> order.getCallsLost().getLost()).toList();
      assertEquals(IntStream.range(0, count).mapToObj(i -> (long) i).toList(), seen);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatDoesNotReadMakesTheStreamUnready(Transport transport) throws Exception {
    var sent = new AtomicLong();
    var stalled = new java.util.concurrent.CompletableFuture<Boolean>();
    var service =
        new ScriptedRoll((_, stream) -> {
          var payload = order(1).toBuilder();
          payload.getCallsLostBuilder().setNode("x".repeat(100_000));
          while (stream.isReady() && sent.get() < 1_000) {
            stream.onNext(payload.build());
            sent.incrementAndGet();
          }
          stalled.complete(!((ServerCallStreamObserver<?>) stream).isReady());
        });
    try (var rig = rig(transport, service)) {
      var call = rig.channel().newCall(RollServiceGrpc.getConnectMethod(), CallOptions.DEFAULT);
      call.start(new io.grpc.ClientCall.Listener<>() {}, new Metadata());
      call.sendMessage(Rig.hello("node1"));
      assertTrue(stalled.get(10, TimeUnit.SECONDS));
      assertTrue(sent.get() < 100, sent + " messages of 100 kB were buffered");
      call.cancel("enough", null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatNeverReadsIsRidOfInTheEnd(Transport transport) throws Exception {
    var service =
        new ScriptedRoll((_, stream) -> {
          var payload = order(1).toBuilder();
          payload.getCallsLostBuilder().setNode("x".repeat(100_000));
          while (stream.isReady()) {
            stream.onNext(payload.build());
          }
          stream.onError(
              Status.RESOURCE_EXHAUSTED.withDescription("does not read").asRuntimeException());
        });
    try (var rig = rig(transport, service)) {
      var end = new java.util.concurrent.CompletableFuture<Status>();
      var call = rig.channel().newCall(RollServiceGrpc.getConnectMethod(), CallOptions.DEFAULT);
      call.start(
          new io.grpc.ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end.complete(status);
            }
          },
          new Metadata());
      call.sendMessage(Rig.hello("node1"));
      assertFalse(end.get(20, TimeUnit.SECONDS).isOk());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSentToAClientThatHasGoneIsDropped(Transport transport) throws Exception {
    var late =
        new java.util.concurrent.CompletableFuture<ServerCallStreamObserver<ConnectResponse>>();
    var service = new ScriptedRoll((_, stream) -> late.complete(stream));
    try (var rig = rig(transport, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      rig.connect(rig.channel(), recorder).onNext(Rig.hello("node1"));
      var stream = late.get(5, TimeUnit.SECONDS);
      java.util.Objects.requireNonNull(recorder.requests).cancel("enough", null);
      service.cancelled.get(5, TimeUnit.SECONDS);
      stream.onNext(order(1));
      stream.onCompleted();
      // The server is none the worse.
      var _ = rig.connect(rig.channel(), new Recorder<>());
    }
  }
}
