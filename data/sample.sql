-- Forty cases written for this project, in the canonical shape: the content of a fresh clone,
-- and of many tests. Much of it is meant to be hard: astral characters, full-width and half-width
-- forms, ruby, character references, markup inside words, equal dates and likes, gaps in ids.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE posts (
  post_id INTEGER PRIMARY KEY,
  post_title TEXT NOT NULL,
  post_content_html TEXT NOT NULL,
  post_date_gmt TEXT NOT NULL,
  comment_status TEXT NOT NULL DEFAULT 'open',
  count_likes INTEGER NOT NULL DEFAULT 0,
  count_dislikes INTEGER NOT NULL DEFAULT 0,
  count_bookmarks INTEGER NOT NULL DEFAULT 0,
  ogp_image_url TEXT,
  is_welcomed INTEGER,
  is_welcomed_explanation TEXT
);
CREATE TABLE tags (tag_id INTEGER PRIMARY KEY, tag_name TEXT NOT NULL UNIQUE);
CREATE TABLE post_tags (post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, PRIMARY KEY (post_id, tag_id));
CREATE TABLE comments (
  comment_id INTEGER PRIMARY KEY,
  post_id INTEGER NOT NULL,
  comment_date_gmt TEXT NOT NULL,
  comment_author TEXT NOT NULL,
  comment_content TEXT NOT NULL,
  likes_count INTEGER NOT NULL DEFAULT 0,
  dislikes_count INTEGER NOT NULL DEFAULT 0,
  comment_parent INTEGER NOT NULL DEFAULT 0
);
INSERT INTO tags VALUES(1,'職場');
INSERT INTO tags VALUES(2,'学校');
INSERT INTO tags VALUES(3,'家族');
INSERT INTO tags VALUES(4,'会話');
INSERT INTO tags VALUES(5,'マナー');
INSERT INTO tags VALUES(6,'失敗談');
INSERT INTO tags VALUES(7,'成功例');
INSERT INTO tags VALUES(8,'食事');
INSERT INTO tags VALUES(9,'電車');
INSERT INTO tags VALUES(10,'オンライン');
INSERT INTO tags VALUES(11,'English');
INSERT INTO tags VALUES(12,'敬語');
INSERT INTO tags VALUES(13,'お金');
INSERT INTO tags VALUES(14,'ﾒｰﾙ');
INSERT INTO tags VALUES(15,'C++');
INSERT INTO tags VALUES(16,'50%_off');
INSERT INTO tags VALUES(17,'未使用タグ');
INSERT INTO tags VALUES(18,'👨‍👩‍👧家族旅行');
INSERT INTO tags VALUES(19,'が行');
INSERT INTO tags VALUES(20,'が行の分解形');
INSERT INTO posts VALUES(1,'朝礼で社長の名前を呼び間違えた','<p>月曜の朝礼で司会を任され、社長を前任者の名前で呼んでしまった。</p><p>その場で一度だけ短く訂正し、続きに進んだところ、誰も引きずらなかった。</p>','2024-01-08 00:05:00','open',42,1,5,NULL,1,'具体的で、他人を傷つけない事例です。');
INSERT INTO post_tags VALUES(1,1);
INSERT INTO post_tags VALUES(1,4);
INSERT INTO post_tags VALUES(1,6);
INSERT INTO posts VALUES(2,'電車で席を譲るときの一言','<p>「どうぞ」だけだと断られやすい。</p><p>「次で降りますので」と言うと、座ってもらえることが多かった。</p>','2024-01-08 00:05:00','open',42,0,9,'https://cases.example/ogp/2.png',1,NULL);
INSERT INTO post_tags VALUES(2,9);
INSERT INTO post_tags VALUES(2,4);
INSERT INTO post_tags VALUES(2,7);
INSERT INTO posts VALUES(3,'A stranger greeted me, and I waved at the person behind me','<p>Someone waved. I waved back. They were greeting the person <em>behind</em> me.</p><p>What helped: smiling and walking on, without explaining.</p>','2024-01-15T09:30:00Z','open',18,2,1,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(3,4);
INSERT INTO post_tags VALUES(3,6);
INSERT INTO post_tags VALUES(3,11);
INSERT INTO posts VALUES(5,'飲み会の割り勘で端数をどうするか','<p>一人3,333円のとき、幹事が「3,300円で」と言うと丸く収まる。</p><ul><li>端数は幹事が持つ</li><li>次回に繰り越さない</li></ul>','2024-01-20 11:00:00','open',27,3,4,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(5,1);
INSERT INTO post_tags VALUES(5,8);
INSERT INTO post_tags VALUES(5,13);
INSERT INTO posts VALUES(6,'全角で書いた返信','<p>ＡＢＣ株式会社のご担当者様へ、と全角で書くと検索で見つからない、と言われた。半角のABCと同じに扱ってほしい。</p>','2024-02-01T00:00:00.000Z','open',8,0,0,NULL,0,NULL);
INSERT INTO post_tags VALUES(6,1);
INSERT INTO post_tags VALUES(6,14);
INSERT INTO posts VALUES(8,'ﾊﾝｶｸｶﾅのメール','<p>取引先から「ﾊﾟｰﾃｨｰのｺﾞ案内」という件名のメールが届いた。パーティーのご案内、と読めた。</p>','2024-02-01T00:00:00.000Z','open',8,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(8,1);
INSERT INTO post_tags VALUES(8,14);
INSERT INTO post_tags VALUES(8,5);
INSERT INTO posts VALUES(9,'薔薇という字が書けなかった日','<p>祖母への手紙で<ruby>薔薇<rp>（</rp><rt>ばら</rt><rp>）</rp></ruby>が書けず、<ruby>薔薇<rt>ばら</rt></ruby>の絵を描いた。祖母はそのほうを喜んだ。</p>','2024-02-03 12:34:56.789','open',55,0,12,'https://cases.example/ogp/9.png',1,'心温まる内容です。');
INSERT INTO post_tags VALUES(9,3);
INSERT INTO post_tags VALUES(9,7);
INSERT INTO posts VALUES(10,'値引き50%の札を読み違えた','<p>「50%_OFF」を「50円引き」と思い込み、レジで慌てた。100%私の勘違いだった。<code>LIKE ''%50\%%''</code>と書きたくなる。</p>','2024-02-10 03:00:00','open',12,1,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(10,13);
INSERT INTO post_tags VALUES(10,16);
INSERT INTO post_tags VALUES(10,6);
INSERT INTO posts VALUES(12,'It''s "quoted" and it''s ''quoted'' again','<p>My colleague said: "It''s fine" &mdash; it wasn''t. I asked once more, &#39;really?&#39;, and learned what was wrong.</p>','2024-02-14T10:00:00Z','open',6,0,1,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(12,11);
INSERT INTO post_tags VALUES(12,1);
INSERT INTO post_tags VALUES(12,4);
INSERT INTO posts VALUES(13,'単語の途中で太字にする人','<p>資料に「重<b>要</b>事<i>項</i>」と一文字ずつ飾りをつける先輩がいる。読み上げると重要事項である。</p>','2024-02-20 08:15:00','open',14,4,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(13,1);
INSERT INTO post_tags VALUES(13,5);
INSERT INTO posts VALUES(15,'本文のない投稿','','2024-02-21 00:00:00','open',0,9,0,NULL,0,'本文が空です。');
INSERT INTO post_tags VALUES(15,6);
INSERT INTO posts VALUES(16,'掲示板にスクリプトを書き込まれた話','<p>学級掲示板に次の書き込みがあった。</p><script>alert(''見えない文字列_in_script'')</script><style>p{color:red}</style><template><p>見えない雛形</p></template><!-- 見えない注釈 --><p>先生は静かに消した。</p>','2024-03-01 01:02:03','closed',21,0,3,NULL,1,NULL);
INSERT INTO post_tags VALUES(16,2);
INSERT INTO post_tags VALUES(16,10);
INSERT INTO posts VALUES(17,'絵文字だけの返信 😀🎉','<p>上司に「👍」だけ返したら、既読の合図として喜ばれた。家族には👨‍👩‍👧‍👦を送る。&#x1F600;も同じ顔。</p>','2024-03-03 03:03:03','open',33,2,2,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(17,1);
INSERT INTO post_tags VALUES(17,10);
INSERT INTO post_tags VALUES(17,18);
INSERT INTO posts VALUES(18,'「𠮷野家」と「吉野家」','<p>名簿で𠮷田さんの「𠮷」が吉になっていた。本人に確かめてから直した。</p>','2024-03-05 05:05:05','open',29,0,6,'https://cases.example/ogp/18.png',1,'実務に役立ちます。');
INSERT INTO post_tags VALUES(18,1);
INSERT INTO post_tags VALUES(18,5);
INSERT INTO post_tags VALUES(18,12);
INSERT INTO posts VALUES(20,'&amp;を「アンド」と読まれた','<p>社名の&amp;を音読するか迷った。R&amp;D、Q&amp;A、&lt;お知らせ&gt;、&copy;、&nbsp;、&hellip;。</p>','2024-03-10 10:10:10','open',5,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(20,1);
INSERT INTO post_tags VALUES(20,4);
INSERT INTO posts VALUES(21,'敬語の重ねすぎ','<p>「お伺いさせていただきます」と書いて直された。「伺います」で足りる。</p><blockquote>短いほうが丁寧に聞こえることもある。</blockquote>','2024-03-11 00:00:00','open',47,5,11,NULL,1,NULL);
INSERT INTO post_tags VALUES(21,1);
INSERT INTO post_tags VALUES(21,12);
INSERT INTO posts VALUES(23,'コンビニで温めますかと聞かれて','<p>「大丈夫です」はどちらにも聞こえる。<br>「温めてください」か「そのままで」と言う。</p>','2024-03-12 22:00:00','open',61,1,8,NULL,1,'多くの人に当てはまります。');
INSERT INTO post_tags VALUES(23,4);
INSERT INTO post_tags VALUES(23,8);
INSERT INTO post_tags VALUES(23,7);
INSERT INTO posts VALUES(24,'面接で沈黙してしまった','<p>質問の意味が分からず黙った。</p><p>「もう一度お願いできますか」と言うだけでよかったと、後で気づいた。</p>','2024-03-15 04:30:00','open',38,0,7,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(24,1);
INSERT INTO post_tags VALUES(24,4);
INSERT INTO post_tags VALUES(24,6);
INSERT INTO posts VALUES(25,'Replying to all, twice','<p>I answered a party invitation with <strong>Reply all</strong>, then apologised with <strong>Reply all</strong>.</p><p>One message to the host would have been enough.</p>','2024-03-18T18:00:00Z','open',25,1,2,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(25,1);
INSERT INTO post_tags VALUES(25,10);
INSERT INTO post_tags VALUES(25,11);
INSERT INTO post_tags VALUES(25,6);
INSERT INTO posts VALUES(27,'図書館で話しかけられた','<p>小声で「外でもいいですか」と言って一緒に出た。注意するより早かった。</p>','2024-03-20 06:00:00','open',17,0,1,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(27,2);
INSERT INTO post_tags VALUES(27,5);
INSERT INTO post_tags VALUES(27,7);
INSERT INTO posts VALUES(28,'お年玉の額を聞く親戚','<p>「みんなと同じくらいです」と答えると、それ以上聞かれない。</p>','2024-01-02 02:00:00','closed',31,2,3,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(28,3);
INSERT INTO post_tags VALUES(28,13);
INSERT INTO post_tags VALUES(28,4);
INSERT INTO posts VALUES(30,'行列の最後尾がわからない','<p>「こちらが最後ですか」と聞くのが一番早い。見て判断すると三回に一回は間違える。</p>','2024-03-25 09:00:00','open',19,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(30,5);
INSERT INTO post_tags VALUES(30,9);
INSERT INTO posts VALUES(31,'雑談で天気の次に話すこと','<p>天気、通勤、昼ごはん。この順なら相手の事情に踏み込まずに済む。</p><ol><li>天気</li><li>通勤</li><li>昼ごはん</li></ol>','2024-04-01 00:00:00','open',72,3,20,'https://cases.example/ogp/31.png',1,'汎用性があります。');
INSERT INTO post_tags VALUES(31,1);
INSERT INTO post_tags VALUES(31,4);
INSERT INTO post_tags VALUES(31,8);
INSERT INTO posts VALUES(32,'エイプリルフールの社内メール','<p>午前のうちに種明かしをしないと、午後に総務へ問い合わせが来る。</p>','2024-04-01 00:00:00','open',72,8,2,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(32,1);
INSERT INTO post_tags VALUES(32,14);
INSERT INTO post_tags VALUES(32,6);
INSERT INTO posts VALUES(33,'新入生の名前を覚える工夫','<p>席順の表に、話した内容を一語だけ書き添えた。三日で三十人を覚えた。</p><table><tr><td>佐藤</td><td>釣り</td></tr><tr><td>鈴木</td><td>将棋</td></tr></table>','2024-04-08 23:59:59.999','open',44,0,10,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(33,2);
INSERT INTO post_tags VALUES(33,7);
INSERT INTO posts VALUES(35,'タグ名が同じような投稿','<p>C++の勉強会で、C言語の質問をしてしまった。++の有無は大きい。</p>','2024-04-10 10:00:00','open',7,1,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(35,2);
INSERT INTO post_tags VALUES(35,15);
INSERT INTO posts VALUES(36,'a*b と a_b と a\b','<p>正規表現の話。<code>a*b</code>、<code>a_b</code>、<code>a\b</code>、<code>a%b</code>、<code>[a-b]</code>、<code>a.b</code>はどれも普通の文字として探したい。</p>','2024-04-12 12:12:12','open',3,0,1,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(36,2);
INSERT INTO post_tags VALUES(36,15);
INSERT INTO post_tags VALUES(36,10);
INSERT INTO posts VALUES(38,'改行と　全角空白','<p>全角　空白と
改行と	タブは、 どれも一つの空白。</p>','2024-04-15 00:00:00','open',4,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(38,10);
INSERT INTO post_tags VALUES(38,5);
INSERT INTO posts VALUES(40,'傘を間違えて持ち帰った','<p>ビニール傘は見分けがつかない。柄に輪ゴムを巻いてから、間違いがなくなった。</p>','2024-04-20 07:00:00','open',52,0,9,NULL,1,NULL);
INSERT INTO post_tags VALUES(40,1);
INSERT INTO post_tags VALUES(40,6);
INSERT INTO post_tags VALUES(40,7);
INSERT INTO posts VALUES(41,'ﾃﾞﾊﾟ地下の試食','<p>デパ地下で試食だけして離れるとき、「考えてみます」と言えば気まずくない。</p>','2024-04-22 05:00:00','open',13,2,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(41,8);
INSERT INTO post_tags VALUES(41,4);
INSERT INTO posts VALUES(42,'Die Straße in İstanbul','<p>A guest wrote STRASSE for Straße and ISTANBUL for İstanbul. Ａｌｌ of it was understood. ﬁne, ① ② ③, ㍻, ㌔.</p>','2024-05-01T00:00:00Z','open',2,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(42,11);
INSERT INTO post_tags VALUES(42,10);
INSERT INTO posts VALUES(43,'がの二つの書き方','<p>「が」は一文字でも、がと二つに分けても書ける。どちらで探しても見つかってほしい。</p>','2024-05-01T00:00:00Z','open',2,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(43,19);
INSERT INTO post_tags VALUES(43,20);
INSERT INTO post_tags VALUES(43,10);
INSERT INTO posts VALUES(44,'おじぎの角度を測る上司','<p>十五度、三十度、四十五度。測られるより、相手より少し遅れて頭を上げるほうが印象に残った。</p>','2024-05-05 05:00:00','open',36,6,2,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(44,1);
INSERT INTO post_tags VALUES(44,5);
INSERT INTO post_tags VALUES(44,12);
INSERT INTO posts VALUES(47,'</p>閉じ忘れと閉じ過ぎ<p>','<p>閉じていない<b>太字<p>次の段落</b></div>ここまで読める < ここも > ここも &unknown; 終わり','2024-05-06 06:00:00','open',1,1,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(47,10);
INSERT INTO posts VALUES(48,'母の長電話を切り上げる','<p>「お風呂が沸いた」は三回使った。四回目からは「また日曜にかけるね」と約束を作るようにした。</p>','2024-05-12 11:00:00','open',58,0,14,'https://cases.example/ogp/48.png',NULL,NULL);
INSERT INTO post_tags VALUES(48,3);
INSERT INTO post_tags VALUES(48,4);
INSERT INTO post_tags VALUES(48,7);
INSERT INTO posts VALUES(50,'会議で発言する順番','<p>最初に話すと短く済み、最後に話すと要約を求められる。二番目がちょうどよい。</p>','2024-05-20 01:00:00','open',40,2,6,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(50,1);
INSERT INTO post_tags VALUES(50,4);
INSERT INTO posts VALUES(51,'コメント欄だけが盛り上がった投稿','<p>本文は短い。</p>','2024-05-21 01:00:00','open',9,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(51,10);
INSERT INTO post_tags VALUES(51,4);
INSERT INTO posts VALUES(1000,'千番目ではない千番','<p>番号が飛んでいても、前後の投稿はつながる。</p>','2024-06-01 00:00:00','open',11,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(1000,10);
INSERT INTO posts VALUES(1001,'最後から二番目の投稿','<p>終わりの手前が一番長く感じる、という話を電車の中で聞いた。</p>','2024-06-02 00:00:00+09:00','open',10,0,0,NULL,NULL,NULL);
INSERT INTO post_tags VALUES(1001,9);
INSERT INTO posts VALUES(123456,'いちばん新しい投稿','<p>引っ越しの挨拶は、最初の週末の昼に、短く。菓子折りは千円まで。</p>','2024-06-30T15:00:00.5Z','open',23,1,2,NULL,1,'地域を問わず使えます。');
INSERT INTO post_tags VALUES(123456,3);
INSERT INTO post_tags VALUES(123456,5);
INSERT INTO post_tags VALUES(123456,7);
INSERT INTO post_tags VALUES(123456,8);
INSERT INTO comments VALUES(1,1,'2024-01-08 01:00:00','匿名','同じことをしました。訂正は一度で十分ですね。',5,0,0);
INSERT INTO comments VALUES(2,1,'2024-01-08 02:00:00','総務の人','名簿を演台に置くようにしました。',9,0,0);
INSERT INTO comments VALUES(3,1,'2024-01-08 02:30:00','匿名','それはいい工夫です。',2,0,2);
INSERT INTO comments VALUES(4,1,'2024-01-08 02:30:00','通りすがり','うちでも真似します。',1,1,3);
INSERT INTO comments VALUES(5,2,'2024-01-09 00:00:00','匿名','「次で降ります」は本当に便利。',4,0,0);
INSERT INTO comments VALUES(7,3,'2024-01-16T00:00:00Z','Ann','I once hugged the wrong person.',7,0,0);
INSERT INTO comments VALUES(8,3,'2024-01-16T00:10:00Z','Ben','That beats waving.',3,0,7);
INSERT INTO comments VALUES(9,9,'2024-02-04 00:00:00','祖母の友人','絵のほうが残ります。',12,0,0);
INSERT INTO comments VALUES(10,10,'2024-02-11 00:00:00','O''Brien','100% agreed; "50%" is not ''50円''.',1,0,0);
INSERT INTO comments VALUES(12,16,'2024-03-01 09:00:00','<script>','<b>コメントは文字として</b>扱ってください。',2,0,0);
INSERT INTO comments VALUES(13,17,'2024-03-03 04:00:00','😀','👍👍🏽',6,1,0);
INSERT INTO comments VALUES(14,23,'2024-03-13 00:00:00','店員','「そのままで」が一番助かります。',20,0,0);
INSERT INTO comments VALUES(15,23,'2024-03-13 01:00:00','匿名','知りませんでした。',1,0,14);
INSERT INTO comments VALUES(16,31,'2024-04-02 00:00:00','雨男','天気だけで三十分話せます。',8,2,0);
INSERT INTO comments VALUES(20,51,'2024-05-21 01:01:00','一','一番乗り。',0,3,0);
INSERT INTO comments VALUES(21,51,'2024-05-21 01:02:00','二','二番です。',0,0,20);
INSERT INTO comments VALUES(22,51,'2024-05-21 01:03:00','三','三番です。',0,0,21);
INSERT INTO comments VALUES(23,51,'2024-05-21 01:03:00','四','同じ時刻の四番。',0,0,21);
INSERT INTO comments VALUES(24,51,'2024-05-21 01:04:00','五','ここで終わり。',1,0,20);
INSERT INTO comments VALUES(30,123456,'2024-07-01 00:00:00','隣人','挨拶ありがとうございました。',3,0,0);
CREATE TABLE export_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO export_settings VALUES('collection','{"title":{"ja":"事例集の見本","en":"Sample of a case collection"},"description":{"ja":"職場、電車、食事などで困ったことと、その後どうなったかを書いた、見本のための四十の事例です。","en":"Forty cases made up for this program: what went wrong at work, on a train or at a meal, and what helped."},"language":"ja","publisher":{"name":"case-collection-api"},"contact":{"name":"case-collection-api"},"license":{"name":"Sample data: not for use elsewhere"}}');
COMMIT;
