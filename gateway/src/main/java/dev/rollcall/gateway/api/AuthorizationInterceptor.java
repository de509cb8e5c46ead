package dev.rollcall.gateway.api;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which principals may make which call. A method without a rule is refused to everybody.
 * {@link Principal} decides which part of the answer a client may see.
 */
public final class AuthorizationInterceptor implements ServerInterceptor {
  /** For a node, about itself. */
  private static final String CONNECT = RollServiceGrpc.getConnectMethod().getFullMethodName();

  /** For all who are known; each sees what is theirs. */
  private static final Set<String> ASKERS =
      names(
          AdoptionServiceGrpc.getExplainMethod(),
          AdoptionServiceGrpc.getListAdoptionsMethod(),
          AdoptionServiceGrpc.getPredictMethod(),
          AdoptionServiceGrpc.getWatchAdoptionsMethod(),
          CallerIdServiceGrpc.getIdentifyMethod(),
          CallerIdServiceGrpc.getIdentifyManyMethod(),
          CallerIdServiceGrpc.getIdentifyProcessMethod(),
          CallerIdServiceGrpc.getIdentifyProcessesMethod(),
          CallerIdServiceGrpc.getWatchCallsMethod(),
          JobServiceGrpc.getGetMethod(),
          JobServiceGrpc.getGetUsageMethod(),
          JobServiceGrpc.getListMethod(),
          JobServiceGrpc.getListProcessesMethod(),
          JobServiceGrpc.getWatchMethod(),
          JobServiceGrpc.getWatchUsageMethod(),
          NodeServiceGrpc.getListGatewaysMethod(),
          NodeServiceGrpc.getListOutsideProcessesMethod(),
          NodeServiceGrpc.getListNodesMethod(),
          TokenServiceGrpc.getIssueTokenMethod());

  /** For all who are known: tools ask for the health and the services of a server. */
  private static final Set<String> TOOLS =
      Set.of(
          "grpc.health.v1.Health/Check",
          "grpc.health.v1.Health/List",
          "grpc.health.v1.Health/Watch",
          "grpc.reflection.v1.ServerReflection/ServerReflectionInfo");

  /** Refused here: jobs and sessions are changed at their nodes. */
  private static final Set<String> ASK_THE_NODE =
      names(
          AdoptionServiceGrpc.getAdoptMethod(),
          AdoptionServiceGrpc.getChooseForCallMethod(),
          AdoptionServiceGrpc.getListSessionsMethod(),
          AdoptionServiceGrpc.getSwitchMethod(),
          JobServiceGrpc.getBeginMethod(),
          JobServiceGrpc.getBeginStepMethod(),
          JobServiceGrpc.getEndMethod(),
          JobServiceGrpc.getLimitMethod(),
          JobServiceGrpc.getListLeftoversMethod(),
          JobServiceGrpc.getResumeMethod(),
          JobServiceGrpc.getSetDevicesMethod(),
          JobServiceGrpc.getSuspendMethod());

  private static final Context.Key<Principal> KEY = Context.key("rollcall-asker");

  private static Set<String> names(MethodDescriptor<?, ?>... methods) {
    return Arrays.stream(methods)
        .map(MethodDescriptor::getFullMethodName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the principal of the call that is being served. */
  static Principal current() {
    return requireNonNull(KEY.get(), "no call is being served here");
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Identity identity = AuthenticationInterceptor.current();
    String method = call.getMethodDescriptor().getFullMethodName();
    if (ASKERS.contains(method) || TOOLS.contains(method)) {
      Principal asker =
          PrincipalResolver.of(identity, Optional.ofNullable(headers.get(PrincipalResolver.UID)));
      return Contexts.interceptCall(Context.current().withValue(KEY, asker), call, headers, next);
    }
    if (ASK_THE_NODE.contains(method)) {
      throw Refusal.of(
              Reason.ASK_THE_NODE,
              "a gateway does not serve " + method + ": ask the agent of the node")
          .with("method", method)
          .exception();
    }
    if (!method.equals(CONNECT)) {
      throw denied(identity + " may not call " + method + ": no client may", method);
    }
    if (!(identity instanceof Identity.Node || identity instanceof Identity.Embedded)) {
      throw denied(identity + " is not a node: only nodes may connect here", method);
    }
    return next.startCall(call, headers);
  }

  private static RuntimeException denied(String why, String method) {
    return Refusal.of(Reason.CALL_NOT_ALLOWED, why).with("method", method).exception();
  }
}
