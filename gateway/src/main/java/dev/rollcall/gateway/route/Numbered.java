package dev.rollcall.gateway.route;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.NodeAnswer.AnswerCase;
import java.util.Optional;

/** The {@code question_id} of questions and answers of every kind. */
final class Numbered {
  private Numbered() {}

  static ConnectResponse with(long id, ConnectResponse question) {
    return (ConnectResponse) numbered(question, id);
  }

  static NodeAnswer with(long id, NodeAnswer answer) {
    return (NodeAnswer) numbered(answer, id);
  }

  /** Returns the number of a question or an answer; 0, which is not used, for unknown kinds. */
  static long number(Message said) {
    return kind(said)
        .map(kind -> (Message) said.getField(kind))
        .map(one -> (long) one.getField(id(one)))
        .orElse(0L);
  }

  private static Message numbered(Message said, long id) {
    FieldDescriptor kind = kind(said).orElseThrow();
    Message one = (Message) said.getField(kind);
    return said.toBuilder().setField(kind, one.toBuilder().setField(id(one), id).build()).build();
  }

  private static Optional<FieldDescriptor> kind(Message said) {
    return Optional.ofNullable(
        said.getOneofFieldDescriptor(said.getDescriptorForType().getOneofs().getFirst()));
  }

  private static FieldDescriptor id(Message one) {
    return requireNonNull(one.getDescriptorForType().findFieldByName("question_id"));
  }

  /**
   * Returns the kind of answer that belongs to a question.
   *
   * @throws IllegalArgumentException if it is another order
   */
  static AnswerCase answers(ConnectResponse question) {
    return switch (question.getOrderCase()) {
      case QUESTION -> AnswerCase.CALLER;
      case PROCESSES_QUESTION -> AnswerCase.PROCESSES;
      case OUTSIDE_PROCESSES_QUESTION -> AnswerCase.OUTSIDE_PROCESSES;
      case PREDICTION_QUESTION -> AnswerCase.PREDICTION;
      case MEMBERSHIP_QUESTION -> AnswerCase.MEMBERSHIP;
      default -> throw new IllegalArgumentException(question.getOrderCase() + " is not a question");
    };
  }
}
