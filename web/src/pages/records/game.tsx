/** A game's best players, and the plays that won an award. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { playerAt } from "../../links";
import { address } from "../../router";
import { Asking, Field } from "../../ui/asking";
import { Bar } from "../../ui/bar";
import { Figures, figure } from "../../ui/figures";
import { storePlay } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { Plays } from "./player";

export const Game = ({ game }: { game: string }) => {
  const params = { path: { game }, query: { top: 20 } };
  const read = useLoaded("game", () => bodyOf(api.GET("/leaderboards/{game}", { params })));
  return (
    <>
      <Heading above={["/records", "Records"]} name={game} />
      <Loading of={read}>
        {({ summary, top, recounting }) => (
          <>
            {summary && (
              <Figures
                of={[
                  ["Plays", figure(summary.plays)],
                  ["Players", figure(summary.players)],
                ]}
              />
            )}
            {top.length === 0 ? (
              <Empty first={storePlay({ game })}>Nobody has played it.</Empty>
            ) : (
              <Table
                name="The best players"
                columns={[
                  "Player",
                  "Rank",
                  <span key="share" class="hidden">
                    Share
                  </span>,
                  "Best score",
                ]}
                rows={top.map((each) => [
                  each.player,
                  <a key="player" href={playerAt(each.player)}>
                    {each.player}
                  </a>,
                  each.rank,
                  <Bar key="share" of={each.score} greatest={top[0]?.score ?? 0} />,
                  each.score,
                ])}
              />
            )}
            {recounting > 0 && <p class="about">{figure(recounting)} players are being recounted, and rank later.</p>}
          </>
        )}
      </Loading>
      <Standing game={game} />
    </>
  );
};

const Standing = ({ game }: { game: string }) => {
  const player = address.value.searchParams.get("player") ?? "";
  return (
    <section>
      <h2>The rank of anybody</h2>
      <Asking ask="Show">
        <Field label="Player" name="player" value={player} required placeholder="rick" />
      </Asking>
      {player && <Rank key={player} game={game} player={player} />}
    </section>
  );
};

const Rank = ({ game, player }: { game: string; player: string }) => {
  const params = { path: { game, player } };
  const read = useLoaded("rank", () => bodyOf(api.GET("/leaderboards/{game}/players/{player}", { params })));
  return (
    <Loading of={read}>
      {({ rank, score, players, tied, recounting }) =>
        recounting ? (
          <Empty>The player's best score is being recounted.</Empty>
        ) : (
          <Figures
            of={[
              ["Rank", `${figure(rank)} of ${figure(players)}`],
              ["Best score", figure(score)],
              ["Others with this rank", figure(tied)],
            ]}
          />
        )
      }
    </Loading>
  );
};

export const Award = ({ award }: { award: string }) => {
  const list = useListed("award", (cursor) =>
    bodyOf(api.GET("/awards/{award}", { params: { path: { award }, query: { limit: 50, ...cursor } } })),
  );
  return (
    <>
      <Heading above={["/records", "Records"]} name={award} />
      <p class="about">The plays that won this award, the best score first.</p>
      <Listing
        list={list}
        entries={(page) => page.plays}
        empty="Nobody has won it."
        first={storePlay({ award })}
        more="More plays"
      >
        {(plays) => <Plays of={plays} first="player" />}
      </Listing>
    </>
  );
};
